import Foundation
import TintypeCompute
import TintypeFilters
import TintypeImaging
import TintypeLocking
import TintypePhotos
import TintypeResources
import TintypeDevices

extension EncodedImage {
    /// Filters the image into one of the same format. As many images and `Pixels` are filtered at once as there are
    /// cores; others wait.
    ///
    /// - Parameter devices: a `DeviceChoice` such as `.cpu`, or a `DevicePool`.
    /// - Throws: `PhotoError`, `DeviceError` if no device is available, or `CancellationError`.
    public func filtered(
        by filters: [any Filter], on devices: some DeviceSource = .automatic
    ) async throws -> EncodedImage {
        try await filtered(by: Recipe(FilterChain(filters)), on: devices)
    }

    /// Filters the image by one filter or several: `photo.filtered(by: Sepia(), TiltShift())`.
    ///
    /// - Throws: as `filtered(by:on:)` of an array.
    public func filtered(
        by filter: any Filter, _ others: any Filter..., on devices: some DeviceSource = .automatic
    ) async throws -> EncodedImage {
        try await filtered(by: [filter] + others, on: devices)
    }

    /// Filters the image by a chain.
    ///
    /// - Throws: as `filtered(by:on:)` of an array.
    public func filtered(
        by chain: FilterChain, on devices: some DeviceSource = .automatic
    ) async throws -> EncodedImage {
        try await filtered(by: Recipe(chain), on: devices)
    }

    /// Filters and converts the image as a recipe says: its format, its quality and its metadata, too.
    ///
    /// - Throws: as `filtered(by:on:)` of an array.
    public func filtered(
        by recipe: Recipe, on devices: some DeviceSource = .automatic
    ) async throws -> EncodedImage {
        let operation = FilterOperation(
            through: PhotoPipeline(recipe), on: try await devices.makePool(), name: "image", image: self)
        return try await operation.runForImage(on: AsyncFiltering.queue)
    }

    /// The photo in another format, with its metadata.
    ///
    /// - Parameter quality: of a JPEG; `.keep` is `Recipe.defaultQuality` for a photo that is none.
    /// - Throws: `PhotoError` or `CancellationError`.
    public func converted(
        to format: PhotoFormat, quality: Recipe.Quality = .keep
    ) async throws -> EncodedImage {
        try await filtered(by: Recipe([], format: format, quality: quality), on: .cpu)
    }
}

extension Pixels {
    /// Filters the pixels; the result has the same layout. As many images and `Pixels` are filtered at once as there
    /// are cores; others wait.
    ///
    /// - Parameter devices: a `DeviceChoice` such as `.cpu`, or a `DevicePool`.
    /// - Throws: `PhotoError`, `DeviceError`, or `CancellationError`.
    public func filtered(
        by filters: [any Filter], on devices: some DeviceSource = .automatic
    ) async throws -> Pixels {
        let operation = PixelsOperation(self, filters, on: try await devices.makePool())
        await operation.run(on: AsyncFiltering.queue)
        guard let result = operation.result else { throw CancellationError() }
        return try result.get()
    }

    /// Filters the pixels by one filter or several: `pixels.filtered(by: Noir(), Vignette())`.
    ///
    /// - Throws: as `filtered(by:on:)` of an array.
    public func filtered(
        by filter: any Filter, _ others: any Filter..., on devices: some DeviceSource = .automatic
    ) async throws -> Pixels {
        try await filtered(by: [filter] + others, on: devices)
    }

    /// Filters the pixels by a chain.
    ///
    /// - Throws: as `filtered(by:on:)` of an array.
    public func filtered(
        by chain: FilterChain, on devices: some DeviceSource = .automatic
    ) async throws -> Pixels {
        try await filtered(by: chain.filters, on: devices)
    }
}

/// What `filtered(by:on:)` of images and of pixels share.
private enum AsyncFiltering {
    static let queue = {
        let queue = OperationQueue()
        queue.name = "Filter queue"
        queue.maxConcurrentOperationCount = AvailableMachine.current.processorCount
        return queue
    }()
}

/// Filters pixels in memory.
// @unchecked: every property added here is immutable and Sendable, or Locked.
private final class PixelsOperation: AsyncOperation, @unchecked Sendable {
    private let input: Locked<Pixels?>
    private let filters: [any Filter]
    private let devices: DevicePool
    private let outcome = Locked<Result<Pixels, any Error>?>(nil)

    init(_ pixels: Pixels, _ filters: [any Filter], on devices: DevicePool) {
        input = Locked(pixels)
        self.filters = filters
        self.devices = devices
        super.init(name: "pixels")
    }

    /// Nil until the operation has finished, and if it was cancelled before it had begun.
    var result: Result<Pixels, any Error>? { outcome.withLock { $0 } }

    override func main() {
        defer { finish() }
        guard let pixels = input.withLock({ $0 }) else { return }
        let result = Result { try filtered(pixels) }
        outcome.withLock { $0 = result }
    }

    override func releaseInput() { input.withLock { $0 = nil } }

    private func filtered(_ pixels: Pixels) throws -> Pixels {
        try devices.withDevices { device, _ in
            let result = try pixels.filtered(by: filters, on: device, isCancelled: { isCancelled })
            try device.abilities.approving?.approve(nil, of: nil)
            return result
        }
    }
}
