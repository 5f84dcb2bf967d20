// The library: `import Tintype` gives everything that a program needs. The modules behind it keep the code in
// order, and are no products of their own.
@_exported import TintypeBatches
@_exported import TintypeCodecs
@_exported import TintypeCompute
@_exported import TintypeDevices
@_exported import TintypeDownload
@_exported import TintypeFiles
@_exported import TintypeFilterPictures
@_exported import TintypeFilters
@_exported import TintypeImaging
@_exported import TintypeJournals
@_exported import TintypeKernelFiles
@_exported import TintypeLists
@_exported import TintypeManifests
@_exported import TintypeMetadata
@_exported import TintypeOperations
@_exported import TintypePhotos
@_exported import TintypeRendering
@_exported import TintypeResources
@_exported import TintypeSessions
@_exported import TintypeStages

// Of other packages, what the library's own interface names.
@_exported import class Foundation.Operation
@_exported import class Foundation.OperationQueue
@_exported import protocol Foundation.ContiguousBytes
@_exported import struct Foundation.Data
@_exported import struct Foundation.URL
@_exported import struct Logging.Logger
@_exported import struct SystemPackage.Errno
