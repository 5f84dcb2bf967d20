import TintypeRendering
import TintypeStages

extension DeviceError {
    /// A process lacks memory or descriptors. The code is that of CL_OUT_OF_HOST_MEMORY.
    static func outOfResources(call: String, device: String) -> DeviceError {
        .callFailed(call: call, code: -6, device: device)
    }
}

extension ByteWriter {
    mutating func put(_ error: DeviceError) {
        switch error {
        case .buildFailed(let kernel, let device, let log):
            put(UInt8(0))
            for text in [kernel, device, log] { put(text: text) }
        case .callFailed(let call, let code, let device):
            put(UInt8(1))
            put(text: call)
            put(code)
            put(text: device)
        case .stoppedAnswering(let device, let after):
            put(UInt8(2))
            put(text: device)
            put(after / .seconds(1))
        case .tooLarge(let device, let byteCount, let limit):
            put(UInt8(3))
            put(text: device)
            put(byteCount)
            put(limit)
        case .movedMemory(let device):
            put(UInt8(4))
            put(text: device)
        case .invalidStage(let error):
            put(UInt8(5))
            put(error)
        case .failedSelfTest(let device, let kernels):
            put(UInt8(6))
            for text in [device, kernels] { put(text: text) }
        case .notFound, .notListed, .wrongPixels, .wrongFile, .driverEnded:
            preconditionFailure("\(error) arises in the other process only")
        }
    }

    private mutating func put(_ error: PointKernelError) {
        switch error {
        case .unknown(let kernel):
            put(UInt8(0))
            put(text: kernel)
        case .noArgument(let kernel, let name, let known):
            put(UInt8(1))
            for text in [kernel, name] { put(text: text) }
            put(list: known) { $0.put(text: $1) }
        case .missing(let kernel, let name):
            put(UInt8(2))
            for text in [kernel, name] { put(text: text) }
        case .otherCount(let kernel, let name, let count, let expected):
            put(UInt8(3))
            for text in [kernel, name] { put(text: text) }
            put(count)
            put(expected)
        case .notCompiled(let kernel, let reason):
            put(UInt8(4))
            for text in [kernel, reason] { put(text: text) }
        case .wrongSetting(let sentence):
            put(UInt8(5))
            put(text: sentence)
        }
    }
}

extension ByteReader {
    mutating func takeDeviceError() throws(MalformedMessage) -> DeviceError {
        switch try take(UInt8.self) {
        case 0: .buildFailed(kernel: try takeText(), device: try takeText(), log: try takeText())
        case 1: .callFailed(call: try takeText(), code: try take(), device: try takeText())
        case 2: .stoppedAnswering(device: try takeText(), after: try takeSeconds())
        case 3: .tooLarge(device: try takeText(), byteCount: try take(), limit: try take())
        case 4: .movedMemory(device: try takeText())
        case 5: .invalidStage(try takePointKernelError())
        case 6: .failedSelfTest(device: try takeText(), kernels: try takeText())
        default: throw MalformedMessage()
        }
    }

    private mutating func takePointKernelError() throws(MalformedMessage) -> PointKernelError {
        switch try take(UInt8.self) {
        case 0: .unknown(kernel: try takeText())
        case 1:
            .noArgument(
                kernel: try takeText(), name: try takeText(),
                known: try takeList { (reader) throws(MalformedMessage) in try reader.takeText() })
        case 2: .missing(kernel: try takeText(), name: try takeText())
        case 3:
            .otherCount(
                kernel: try takeText(), name: try takeText(), count: try take(), expected: try take())
        case 4: .notCompiled(kernel: try takeText(), reason: try takeText())
        case 5: .wrongSetting(try takeText())
        default: throw MalformedMessage()
        }
    }
}
