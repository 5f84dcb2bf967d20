import TintypeImaging
import TintypeKernels

/// The text of the `.cl` files, which the program contains.
package enum KernelSources {
    /// The texts by the files' stems.
    package static let texts: [String: String] = {
        var count = 0
        guard let sources = kernels_sources(&count) else { return [:] }
        return Dictionary(
            uniqueKeysWithValues: UnsafeBufferPointer(start: sources, count: count).map { source in
                (String(cString: source.name), String(cString: source.text))
            })
    }()

    /// A hash of all texts.
    package static let version: String = {
        let texts = KernelSources.texts.sorted { $0.key < $1.key }.map(\.value)
        return String(texts.joined().utf8.fnv1a, radix: 16)
    }()
}
