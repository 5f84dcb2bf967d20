// A device selection needs the types of devices.
@_exported import TintypeCPURendering
@_exported import TintypeIsolatedRendering
@_exported import TintypeOpenCLRendering
@_exported import TintypeRendering
