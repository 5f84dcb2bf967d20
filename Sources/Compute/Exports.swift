// Which devices there are is of no use without what a device is.
@_exported import CPURendering
@_exported import OpenCLRendering
@_exported import Rendering
