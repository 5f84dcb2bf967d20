import TintypeImaging

/// A gaussian blur mixed with the sharp photo: `m * blur + (1 - m) * sharp`.
///
/// It works in linear light with premultiplied alpha; edges are clamped. A pixel whose `m` is 0 keeps its
/// exact value. An `m` below 0 sharpens: it adds the difference from the blur.
public struct MaskedBlur: Hashable, Sendable {
    /// The axis along which the mask and sigma change, in the photo as stored.
    public enum Axis: Hashable, Sendable {
        /// One value for each row.
        case rows
        /// One value for each column.
        case columns
    }

    /// A gaussian, and the rows or columns that it blurs.
    public struct Part: Hashable, Sendable {
        /// The blur of these rows or columns.
        public let gaussian: Gaussian
        /// The mask, at most 1, for each row or column of the photo; 0 for those of other parts.
        public let mask: [Float]

        package init(gaussian: Gaussian, mask: [Float]) {
            self.gaussian = gaussian
            self.mask = mask
        }
    }

    /// The axis along which `mask` and sigma change.
    public let axis: Axis
    /// Gaussians by increasing `factor`; never empty.
    public let parts: [Part]
    /// The share of the blur, at most 1, for each row or column of the photo.
    public let mask: [Float]
    /// A `BLEND` of `Kernels/` that makes the result of photo and blur, instead of the mix; the mask is then 1 everywhere.
    public private(set) var blend: PointStage?
    /// Sigma for each row or column; empty if it does not change.
    package let sigmas: [Double]

    /// The most bytes of its tables for each row or column: a mask, sigmas and weights, for each of some twenty factors.
    package static let tableBytesPerRow = 400

    /// The value of which these are the parts.
    package init(axis: Axis, parts: [Part], mask: [Float], blend: PointStage?, sigmas: [Double]) {
        self.axis = axis
        self.parts = parts
        self.mask = mask
        self.blend = blend
        self.sigmas = sigmas
    }

    /// One gaussian with the same share for the whole photo; nil if it changes nothing.
    package init?(sigma: Double, share: Float, of photo: PhotoGeometry) {
        let gaussian = Gaussian(sigma: sigma)
        guard share != 0, !gaussian.isIdentity else { return nil }
        self.init(gaussian, share: share, of: photo)
    }

    /// One gaussian for the whole photo, and what its result is blended by; nil if it blurs nothing.
    package init?(sigma: Double, blend: PointStage, of photo: PhotoGeometry) {
        self.init(sigma: sigma, share: 1, of: photo)
        self.blend = blend
    }

    /// One gaussian with the same share for the whole photo, at most 1.
    public init(_ gaussian: Gaussian, share: Float = 1, of photo: PhotoGeometry) {
        self.init(gaussian, axis: .rows, mask: Array(repeating: share, count: photo.height))
    }

    /// One gaussian for the whole photo, and a `BLEND` of photo and blur.
    public init(_ gaussian: Gaussian, blend: PointStage, of photo: PhotoGeometry) {
        self.init(gaussian, of: photo)
        self.blend = blend
    }

    /// One gaussian for the whole photo. `mask` tells its share for each row or column, at most 1.
    public init(_ gaussian: Gaussian, axis: Axis, mask: [Float]) {
        self.axis = axis
        self.mask = mask
        parts = [Part(gaussian: gaussian, mask: mask)]
        sigmas = []
    }

    /// A blur whose sigma changes along an axis; nil if every sigma is below 0.1.
    ///
    /// Sigma decides each row's or column's downsampling factor, as in `Gaussian(sigma:)`. Those with the
    /// same factor form a part.
    ///
    /// - Parameter sigmas: in pixels, one for each row or column of the photo. Below 0.1, a row or column
    ///   stays sharp.
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

    /// True if each row or column has a sigma of its own.
    public var sigmaChanges: Bool { !sigmas.isEmpty }

    /// Rows and columns on each side that a pixel of the result depends on.
    public var support: Int { parts.map(\.gaussian.support).max() ?? 0 }

    /// The same kernels for a photo of another length along the axis. It has some rows of each part, and some
    /// sharp ones.
    package func stretched(to length: Int) -> MaskedBlur {
        guard sigmaChanges else {
            let stretched = (0..<length).map { mask[$0 * mask.count / length] }
            var blur = MaskedBlur(parts[0].gaussian, axis: axis, mask: stretched)
            blur.blend = blend
            return blur
        }
        // The index of one row of each part, and of a sharp row.
        let places = (parts.map { $0.mask.firstIndex(of: 1) } + [mask.firstIndex(of: 0)]).compactMap { $0 }
        let stretched = (0..<length).map { sigmas[places[$0 * places.count / length]] }
        return MaskedBlur(sigmas: stretched, axis: axis) ?? self
    }

    /// One part's sigmas, for all rows: its downsampled rows also cover rows of neighbouring parts. Such a
    /// row keeps its sigma if that is within a quarter of the nearest own row's; otherwise it takes the
    /// latter.
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
