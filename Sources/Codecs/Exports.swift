// A photo's metadata is read and written with it.
@_exported import Metadata
