import CTintypeOpenCL
import Synchronization
import TintypeRendering

/// A built program.
// @unchecked: the handle never changes, and OpenCL's calls on it are thread-safe.
final class OpenCLProgram: @unchecked Sendable {
    /// Whether its results have been compared with the SIMD baseline.
    let isProven = Atomic(false)
    private let handle: cl_program
    private let device: OpenCLDevice
    /// Tells it from all other programs of the process.
    private let number = count.add(1, ordering: .relaxed).newValue
    private static let count = Atomic(0)

    /// OpenCL C 1.2, without options that allow a compiler to change results (`-cl-fast-relaxed-math`,
    /// `-cl-mad-enable`).
    static let options = "-cl-std=CL1.2"

    /// Builds from the cached binary if there is a valid one, else from source.
    ///
    /// - Parameters:
    ///   - cache: nil stores no binary.
    ///   - cacheKey: all that the binary depends on.
    /// - Throws: `DeviceError.buildFailed` with the compiler's log.
    init(
        _ source: ProgramSource, device: OpenCLDevice, context: cl_context, cache: DeviceCache?,
        cacheKey: String
    ) throws(DeviceError) {
        self.device = device
        if let binary = cache?.value(.program, for: cacheKey),
            let program = Self.program(fromBinary: binary, device: device, context: context)
        {
            handle = program
            return
        }
        handle = try Self.program(from: source, device: device, context: context)
        if let cache, let binary = Self.binary(of: handle) { cache.store(binary, .program, for: cacheKey) }
    }

    deinit { if !device.watch.isLost { clReleaseProgram(handle) } }

    /// A kernel of this program, for one render.
    func kernel(_ name: String) throws(DeviceError) -> OpenCLKernel {
        var code: cl_int = 0
        guard let kernel = clCreateKernel(handle, name, &code), code == CL_SUCCESS else {
            throw device.failure("clCreateKernel(\(name))", code)
        }
        return OpenCLKernel(kernel, name: name, program: number, device: device)
    }

    private static func program(
        from source: ProgramSource, device: OpenCLDevice, context: cl_context
    ) throws(DeviceError) -> cl_program {
        var code: cl_int = 0
        let program = source.text.withCString { text in
            var text: UnsafePointer<CChar>? = text
            return clCreateProgramWithSource(context, 1, &text, nil, &code)
        }
        guard let program, code == CL_SUCCESS else { throw device.failure("clCreateProgramWithSource", code) }
        let result = build(program, device: device)
        guard result == CL_SUCCESS else {
            defer { clReleaseProgram(program) }
            guard result == CL_BUILD_PROGRAM_FAILURE else {
                throw device.failure("clBuildProgram(\(source.name))", result)
            }
            let log = OpenCLInfo.text {
                clGetProgramBuildInfo(
                    program, device.device, cl_program_build_info(CL_PROGRAM_BUILD_LOG), $0, $1, $2)
            }
            throw .buildFailed(kernel: source.name, device: device.info.name, log: log)
        }
        return program
    }

    private static func program(
        fromBinary binary: [UInt8], device: OpenCLDevice, context: cl_context
    ) -> cl_program? {
        var code: cl_int = 0
        var identifier: cl_device_id? = device.device
        var byteCount = binary.count
        let program = binary.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            return clCreateProgramWithBinary(context, 1, &identifier, &byteCount, &start, nil, &code)
        }
        guard let program, code == CL_SUCCESS else { return nil }
        guard build(program, device: device) == CL_SUCCESS else {
            clReleaseProgram(program)
            return nil
        }
        return program
    }

    private static func build(_ program: cl_program, device: OpenCLDevice) -> cl_int {
        var identifier: cl_device_id? = device.device
        return clBuildProgram(program, 1, &identifier, options, nil, nil)
    }

    /// The driver's binary of a program that was built for one device.
    private static func binary(of program: cl_program) -> [UInt8]? {
        var byteCount = 0
        let size = MemoryLayout<Int>.size
        guard
            clGetProgramInfo(program, cl_program_info(CL_PROGRAM_BINARY_SIZES), size, &byteCount, nil)
                == CL_SUCCESS,
            byteCount > 0
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: byteCount)
        let code = bytes.withUnsafeMutableBufferPointer { bytes in
            var start = bytes.baseAddress
            let pointerSize = MemoryLayout<UnsafeMutablePointer<UInt8>?>.size
            return clGetProgramInfo(program, cl_program_info(CL_PROGRAM_BINARIES), pointerSize, &start, nil)
        }
        return code == CL_SUCCESS ? bytes : nil
    }
}

/// A kernel with its arguments, used by one thread at a time.
final class OpenCLKernel {
    let name: String
    let handle: cl_kernel
    /// The most work-items of a work-group of this kernel, at least 1.
    let groupLimit: Int
    private let program: Int
    private let device: OpenCLDevice

    init(_ handle: cl_kernel, name: String, program: Int, device: OpenCLDevice) {
        self.handle = handle
        self.name = name
        self.program = program
        self.device = device
        var limit = 0
        let code = clGetKernelWorkGroupInfo(
            handle, device.device, cl_kernel_work_group_info(CL_KERNEL_WORK_GROUP_SIZE),
            MemoryLayout<Int>.size, &limit, nil)
        groupLimit = code == CL_SUCCESS ? min(max(limit, 1), device.groupLimit) : device.groupLimit
    }

    deinit { if !device.watch.isLost { clReleaseKernel(handle) } }

    func key(group: (columns: Int, rows: Int)) -> LoadedKernels.Key {
        LoadedKernels.Key(
            program: program, kernel: name, groupColumns: group.columns, groupRows: group.rows)
    }

    enum Argument {
        case buffer(OpenCLBuffer)
        case word(UInt32)
    }

    func set(_ arguments: [Argument]) throws(DeviceError) {
        for (index, argument) in arguments.enumerated() {
            switch argument {
            case .buffer(let buffer): try set(index, buffer.handle as cl_mem?)
            case .word(let word): try set(index, word)
            }
        }
    }

    /// Sets all arguments.
    ///
    /// - Parameter params: a struct of `kernels_params.h`, the argument after the buffers.
    func set(_ buffers: [cl_mem], _ params: some BitwiseCopyable) throws(DeviceError) {
        for (index, buffer) in buffers.enumerated() { try set(index, buffer as cl_mem?) }
        try set(buffers.count, params)
    }

    private func set<Value: BitwiseCopyable>(_ index: Int, _ value: Value) throws(DeviceError) {
        var value = value
        try device.check(
            clSetKernelArg(handle, cl_uint(index), MemoryLayout<Value>.size, &value),
            "clSetKernelArg(\(name), \(index))")
    }
}

/// The programs of a render.
package struct OpenCLPrograms: Sendable {
    let all: [OpenCLProgram]

    /// Whether a test has compared the bytes of each.
    var areProven: Bool { all.allSatisfy { $0.isProven.load(ordering: .relaxed) } }

    /// Remembers that a test has found their bytes right.
    package func markProven() {
        for program in all { program.isProven.store(true, ordering: .relaxed) }
    }
}
