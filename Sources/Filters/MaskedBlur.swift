/// A gaussian blur in linear light with premultiplied alpha, edges clamped, mixed with the sharp photo:
/// `m * blur + (1 - m) * sharp`. A pixel whose `m` is 0 keeps its exact value.
public struct MaskedBlur: Hashable, Sendable {
    /// Along what the mask and sigma change, in the photo as stored.
    public enum Axis: Hashable, Sendable {
        /// One value a row.
        case rows
        /// One value a column.
        case columns
    }

    /// A gaussian, and the rows or columns that are its own.
    public struct Part: Hashable, Sendable {
        public let gaussian: Gaussian
        /// Share of the blur, 0...1, for each row or column of the photo; 0 for those of other parts.
        public let mask: [Float]
    }

    public let axis: Axis
    /// Gaussians of different factors, from the least on; never empty.
    public let parts: [Part]
    /// Share of the blur, 0...1, for each row or column of the photo.
    public let mask: [Float]
    /// Sigma for each row or column where it changes, else empty.
    private let sigmas: [Double]

    /// One blur for the whole photo, mixed with it by `mask`.
    public init(_ gaussian: Gaussian, axis: Axis, mask: [Float]) {
        self.axis = axis
        self.mask = mask
        parts = [Part(gaussian: gaussian, mask: mask)]
        sigmas = []
    }

    /// A blur whose sigma changes along an axis, without the sharp photo; nil where it changes nothing.
    ///
    /// Each row's sigma decides how far it is downsampled, as in `Gaussian(sigma:)`, and so which part it belongs to.
    ///
    /// - Parameter sigmas: in pixels, for each row or column of the photo. Below 0.1 the photo stays as it is.
    public init?(sigmas: [Double], axis: Axis) {
        let factors = sigmas.map { $0 < Gaussian.leastSigma ? 0 : Gaussian.factor(sigma: $0) }
        self.axis = axis
        self.sigmas = sigmas
        mask = factors.map { $0 > 0 ? 1 : 0 }
        parts = Set(factors).subtracting([0]).sorted().map { factor in
            let own = factors.map { $0 == factor }
            return Part(
                gaussian: Gaussian(factor: factor, sigmas: Self.extended(sigmas, from: own)),
                mask: own.map { $0 ? 1 : 0 })
        }
        guard !parts.isEmpty else { return nil }
    }

    /// True where each row or column has a sigma of its own.
    public var sigmaChanges: Bool { !sigmas.isEmpty }

    /// Rows and columns, on each side, that a pixel depends on.
    public var support: Int { parts.map(\.gaussian.support).max() ?? 0 }

    /// The same kernels for a photo of another length along the axis: each part, and what is sharp, gets some of it.
    package func stretched(to length: Int) -> MaskedBlur {
        guard sigmaChanges else {
            let stretched = (0..<length).map { mask[$0 * mask.count / length] }
            return MaskedBlur(parts[0].gaussian, axis: axis, mask: stretched)
        }
        // A place of each part, and a sharp one.
        let places = (parts.map { $0.mask.firstIndex(of: 1) } + [mask.firstIndex(of: 0)]).compactMap { $0 }
        let stretched = (0..<length).map { sigmas[places[$0 * places.count / length]] }
        return MaskedBlur(sigmas: stretched, axis: axis) ?? self
    }

    /// The sigmas of one part's rows. Its downsampled rows reach into its neighbours': where sigma goes on smoothly it is
    /// theirs, else the nearest row's of its own.
    private static func extended(_ sigmas: [Double], from own: [Bool]) -> [Double] {
        var nearest = Array(repeating: 0.0, count: sigmas.count)
        var distances = Array(repeating: Int.max, count: sigmas.count)
        for order in [Array(sigmas.indices), sigmas.indices.reversed()] {
            var last: Int?
            for place in order {
                if own[place] { last = place }
                guard let last, abs(place - last) < distances[place] else { continue }
                nearest[place] = sigmas[last]
                distances[place] = abs(place - last)
            }
        }
        return zip(sigmas, nearest).map { abs($0 - $1) <= $1 / 4 ? $0 : $1 }
    }
}
