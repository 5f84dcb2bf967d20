import SystemPackage
import TintypeImaging

/// Bytes that wait in a file. The descriptor's position is not used.
final class ScratchFile {
    /// The error, after a callback has failed.
    private(set) var failure: CodecError?
    private let file: FileDescriptor
    private var byteCount: Int64 = 0
    private var position: Int64 = 0

    /// - Parameter fileDescriptor: of an empty file, for reading and writing; stays open.
    init(fileDescriptor: Int32) { file = FileDescriptor(rawValue: fileDescriptor) }

    /// Writes all bytes behind those before, or returns false.
    fileprivate func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        do {
            byteCount += Int64(
                try PhotoPhase.write.measure { try file.writeAll(toAbsoluteOffset: byteCount, bytes) })
            return true
        } catch {
            failure = .writeFailed(error as? Errno ?? .ioError)
            return false
        }
    }

    /// Reads on from the file's begin. Returns 0 at the end, and -1 on failure.
    fileprivate func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        do {
            let count = try PhotoPhase.read.measure {
                try file.read(fromAbsoluteOffset: position, into: buffer)
            }
            position += Int64(count)
            return count
        } catch {
            failure = .readFailed(error as? Errno ?? .ioError)
            return -1
        }
    }
}

extension ScratchFile {
    var callbackContext: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static let writeCallback: ByteOutput.WriteCallback = { context, bytes, count in
        guard let context else { return false }
        let file = Unmanaged<ScratchFile>.fromOpaque(context).takeUnretainedValue()
        return file.append(UnsafeRawBufferPointer(start: bytes, count: count))
    }

    static let readCallback: ByteInput.ReadCallback = { context, buffer, capacity in
        guard let context, let buffer else { return -1 }
        let file = Unmanaged<ScratchFile>.fromOpaque(context).takeUnretainedValue()
        return file.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: capacity))
    }
}
