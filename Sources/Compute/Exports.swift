// A device selection needs the types of devices.
@_exported import CPURendering
@_exported import IsolatedRendering
@_exported import OpenCLRendering
@_exported import Rendering
