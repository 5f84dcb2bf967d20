import TintypeImaging
import TintypeRendering

/// What a photo takes that is coded on a device, beside planes of floats.
struct CodedMemory {
    /// Of the device, in all, and the largest block.
    let deviceByteCount, largestBlock: Int
    /// Of the host, where the device copies from and to.
    private let pinnedByteCount: Int
    private let stripRows: Int

    init(_ work: CodingWork, _ tables: CodedRenderer.Tables) {
        var blocks: [Int] = [], pinned = 0
        let plan = work.outputs[0].plan
        if let decoder = tables.decoder, let input = work.input {
            let byteCount = input.byteCount ?? 0
            blocks += [decoder.shape.byteCount] + JPEGDecoding.deviceBlocks(decoder, byteCount)
            pinned += byteCount
        } else {
            blocks.append(plan.byteCount(ofInputRows: plan.geometry.height, outputRows: 0))
            pinned += blocks[0]
        }
        let expected = work.expectedByteCounts
        for (index, output) in work.outputs.enumerated() {
            let samples = output.plan.byteCount(ofInputRows: 0, outputRows: output.plan.outputGeometry.height)
            if !output.plan.isIdentity { blocks.append(samples) }
            if let encoder = tables.encoders[index] {
                blocks += JPEGEncoding.deviceBlocks(encoder, expected[index])
                pinned += expected[index]
            } else {
                pinned += samples
            }
        }
        // Blocks are up to an eighth larger than requested.
        deviceByteCount = blocks.reduce(0) { $0 + $1 + $1 / 8 + 4096 }
        largestBlock = blocks.max() ?? 0
        pinnedByteCount = pinned + pinned / 8
        stripRows = plan.rowsOfWholePhoto
    }

    func fits(_ device: OpenCLDevice) -> Bool {
        let byteCount = deviceByteCount + (device.sharesHostMemory ? pinnedByteCount : 0)
        return byteCount <= device.memoryLimit && largestBlock + largestBlock / 8 <= device.blockLimit
    }

    func ofHost(sharesHostMemory: Bool) -> RenderMemory {
        RenderMemory(
            stripRows: stripRows,
            byteCount: pinnedByteCount + (sharesHostMemory ? deviceByteCount : 0))
    }
}

extension CodingWork {
    /// About how many bytes each output will have, by the photo's bytes for each pixel.
    var expectedByteCounts: [Int] {
        outputs.map { output in
            let plan = output.plan
            let pixels = plan.outputGeometry.pixelCount
            guard let byteCount = input?.byteCount else { return pixels / 2 + (64 << 10) }
            let (share, divisor) = (Double(byteCount) / Double(plan.geometry.pixelCount), input?.divisor ?? 1)
            return min(
                Int(1.25 * share * Double(pixels)) / (divisor * divisor), 2 * pixels) + (64 << 10)
        }
    }
}
