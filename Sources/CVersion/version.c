#include "CVersion.h"

// In C, since a Swift package can give a text to C's preprocessor only.
const char *cversion_commit(void) { return TINTYPE_COMMIT; }
