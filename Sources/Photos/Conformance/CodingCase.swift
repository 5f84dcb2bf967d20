import TintypeCodecs
import TintypeCompute
import TintypeFilters
import TintypeImaging
import TintypeRendering

/// One photo, and the outputs that are made of it together.
struct CodingCase: Sendable {
    let photo: ConformancePhoto
    var damage: JPEGDamage?
    let recipes: [Recipe]

    func bytes() throws -> [UInt8] {
        let sound = try photo.bytes()
        return damage?.damaged(sound) ?? sound
    }

    typealias Result = Swift.Result<PhotoPipeline.Output, any Error>

    /// Makes the outputs, in memory. The device decodes and encodes what it can.
    func results(
        _ image: EncodedImage, on device: any Device, isCancelled: @escaping @Sendable () -> Bool
    ) -> [Result] {
        var pipeline = PhotoPipeline(recipes[0])
        pipeline.deviceCodec = .always
        let outputs = recipes.indices.map { PhotoOutput(.image, recipe: $0, overwrites: false) }
        return PhotoRun(pipeline, image, outputs, of: recipes, on: device, isCancelled: isCancelled).results()
    }
}

extension CodingCase: CustomStringConvertible {
    var description: String {
        var text = "\(photo)"
        if let damage { text += ", \(damage)" }
        return text + "; " + recipes.map(\.canonicalText).joined(separator: "; ")
    }
}

// MARK: Comparison

extension CodingCase {
    /// - Returns: the first difference in words; nil if all outputs have the same bytes, notes and errors.
    static func difference(_ results: [Result], from expected: [Result]) throws -> String? {
        for (index, (result, expected)) in zip(results, expected).enumerated() {
            guard let difference = try difference(result, from: expected) else { continue }
            return results.count > 1 ? "output \(index + 1): \(difference)" : difference
        }
        return nil
    }

    private static func difference(_ result: Result, from expected: Result) throws -> String? {
        switch (result, expected) {
        case (.failure(let error), .failure(let other)):
            return "\(error)" == "\(other)" ? nil : "it fails with '\(error)' instead of '\(other)'"
        case (.failure(let error), .success): return "it fails: \(error)"
        case (.success, .failure(let other)): return "it does not fail with '\(other)'"
        case (.success(let output), .success(let other)):
            if let difference = try difference(output.image.bytes(), from: other.image.bytes()) {
                return difference
            }
            return output.notes == other.notes
                ? nil : "the notes are \(output.notes) instead of \(other.notes)"
        }
    }

    private static func difference(_ bytes: [UInt8], from others: [UInt8]) -> String? {
        guard bytes != others else { return nil }
        let place = zip(bytes, others).enumerated().first { $1.0 != $1.1 }?.offset
        guard let place else { return "\(bytes.count) bytes instead of \(others.count)" }
        let lengths = bytes.count == others.count ? "" : " of \(bytes.count), instead of \(others.count)"
        return "byte \(place) is \(bytes[place]) instead of \(others[place])\(lengths)"
    }
}
