// The library: `import Tintype` gives everything that a program needs. The modules behind it keep the code in
// order, and are no products of their own.
@_exported import Batches
@_exported import Codecs
@_exported import Compute
@_exported import Download
@_exported import Files
@_exported import FilterPictures
@_exported import Filters
@_exported import Imaging
@_exported import Journals
@_exported import KernelFiles
@_exported import Lists
@_exported import Manifests
@_exported import Metadata
@_exported import Operations
@_exported import Photos
@_exported import Rendering
@_exported import Resources
@_exported import Stages

// Of other packages, what the library's own interface names.
@_exported import class Foundation.Operation
@_exported import class Foundation.OperationQueue
@_exported import struct Foundation.URL
@_exported import struct Logging.Logger
@_exported import struct SystemPackage.Errno
