// Users of a photo's codecs also need the types of its metadata.
@_exported import TintypeMetadata
