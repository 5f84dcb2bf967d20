import Glibc
import TintypeCodecs
import TintypeCompute
import TintypeImaging

/// Writes a file of at most some bytes: at the recipe's quality, or else at the best one at which it is small enough. It holds the
/// photo as a whole, and encodes it up to eight times.
final class SizedSink: PhotoSink {
    let layout: PixelLayout
    private let settings: PhotoWriterSettings
    private let limit: Int
    /// Whether a photo that is to be compressed without loss may lose quality all the same.
    private let mayLose: Bool
    private let descriptor: Int32
    private let observer: (any ByteObserver)?
    /// Allocated with the first row.
    private var photo: (held: MemoryPhoto, sink: any StripSink)?
    private var helpers: (threads: any CodecHelpers, byteCount: Int)?

    /// - Parameters:
    ///   - settings: of the output. Its scratch file is emptied before each use.
    ///   - limit: the most bytes of the file.
    ///   - mayLose: whether the settings' losslessness is only that of the photo before.
    ///   - descriptor: gets the file once it is found.
    /// - Throws: as `PhotoWriter.init`.
    init(
        _ settings: PhotoWriterSettings, atMost limit: Int, mayLose: Bool, to descriptor: Int32,
        observer: (any ByteObserver)?
    ) throws(CodecError) {
        // A library that is missing is missing now.
        try PhotoWriter.checkEncoder(settings)
        self.settings = settings
        self.limit = limit
        self.mayLose = mayLose
        self.descriptor = descriptor
        self.observer = observer
        layout = settings.layout
    }

    /// For the photo, the best file, and another one that grows in memory. The encoder comes beside.
    var memoryByteCount: Int {
        let photo = StripShape(
            layout: layout, width: settings.geometry.width, rowCapacity: settings.geometry.height
        ).byteCount
        let file = min(limit, photo + settings.metadata.byteCount)
        // A gain map is put after a file that has grown beside.
        let files = settings.gainMap == nil ? 3 : 5
        return photo + files * file + SIMDDevice().memory(for: plan).byteCount
    }

    private var plan: RenderPlan { RenderPlan([], for: settings.geometry, input: layout, output: layout) }

    func use(_ helpers: any CodecHelpers, memory byteCount: Int) { self.helpers = (helpers, byteCount) }

    func write(_ strip: Strip) throws {
        if photo == nil {
            let held = try MemoryPhoto(allocating: settings.geometry, layout: layout)
            photo = (held, held.makeSink())
        }
        try photo?.sink.write(strip)
    }

    func finish(isCancelled: () -> Bool) throws {
        let file = try smallEnough(isCancelled)
        try PhotoWriter.write(file, fileDescriptor: descriptor, observer: observer)
    }

    private func smallEnough(_ isCancelled: () -> Bool) throws -> [UInt8] {
        if let file = try file(settings, isCancelled) { return file }
        let isLossless = settings.isLossless && !mayLose
        guard settings.format.codec.hasQuality, !isLossless else {
            throw CodecError.largerThanAllowed(
                limit: limit, format: settings.format, isLossless: isLossless)
        }
        var best: [UInt8]?, lowest = 1, highest = settings.bestLowerQuality
        while lowest <= highest {
            let quality = (lowest + highest + 1) / 2
            if let file = try file(settings.withQuality(quality), isCancelled) {
                (best, lowest) = (file, quality + 1)
            } else {
                highest = quality - 1
            }
        }
        guard let best else {
            throw CodecError.largerThanAllowed(limit: limit, format: settings.format)
        }
        return best
    }

    /// Nil if it would be too large.
    private func file(_ settings: PhotoWriterSettings, _ isCancelled: () -> Bool) throws -> [UInt8]? {
        guard let photo else { preconditionFailure("rows are missing") }
        if let scratch = settings.scratchDescriptor {
            guard ftruncate(scratch, 0) == 0, lseek(scratch, 0, SEEK_SET) == 0 else {
                throw CodecError.writeFailed(.ioError)
            }
        }
        return try PhotoWriter.file(settings, atMost: limit) { writer in
            if let helpers { writer.use(helpers.threads, memory: helpers.byteCount) }
            try SIMDDevice().render(plan, from: photo.held.makeSource(), to: writer, isCancelled: isCancelled)
            try writer.finish()
        }
    }
}

extension PhotoWriterSettings {
    /// The best quality below this one.
    fileprivate var bestLowerQuality: Int {
        switch jpegQuality {
        case .value(let value) where !isLossless: value - 1
        case .keep where !isLossless && format != .jpeg: format.codec.usualQuality - 1
        default: 100
        }
    }

    fileprivate func withQuality(_ quality: Int) -> PhotoWriterSettings {
        var settings = self
        settings.jpegQuality = .value(quality)
        settings.isLossless = false
        return settings
    }
}
