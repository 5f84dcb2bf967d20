import Foundation
import TintypeCompute
import TintypeFilters
import TintypeLocking
import TintypePhotos
import TintypeResources
import TintypeDevices

extension EncodedImage {
    /// Filters the image into one of the same format. As many images and `Pixels` are filtered at once as there are
    /// cores; others wait.
    ///
    /// - Throws: `PhotoError`, `DeviceError` if no device is available, or `CancellationError`.
    public func filtered(
        by filters: [any Filter], on devices: DeviceChoice = .automatic
    ) async throws -> EncodedImage {
        let operation = FilterOperation(filters, on: try await .shared(devices), name: "image", image: self)
        return try await operation.runForImage(on: AsyncFiltering.queue)
    }
}

extension Pixels {
    /// Filters the pixels; the result has the same layout. As many images and `Pixels` are filtered at once as there
    /// are cores; others wait.
    ///
    /// - Throws: `PhotoError`, `DeviceError`, or `CancellationError`.
    public func filtered(
        by filters: [any Filter], on devices: DeviceChoice = .automatic
    ) async throws -> Pixels {
        let operation = PixelsOperation(self, filters, on: try await .shared(devices))
        await operation.run(on: AsyncFiltering.queue)
        guard let result = operation.result else { throw CancellationError() }
        return try result.get()
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
