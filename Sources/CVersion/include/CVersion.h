#ifndef CVERSION_H
#define CVERSION_H

/// The commit that the tool was built from; empty where it was built without `make`.
const char *cversion_commit(void);

#endif
