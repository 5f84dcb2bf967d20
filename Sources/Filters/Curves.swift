import TintypeImaging
import TintypeStages

/// A curve through points, for all channels and for each.
///
/// - Colour: sRGB-encoded, straight alpha; alpha passes through.
/// - Definition: each channel goes through its own curve, then through the master; see `CurvePoints`.
/// - Source: the Curves of GIMP, and ffmpeg's `curves`.
public struct Curves: Filter {
    /// For all channels, after their own. In a text that sets other curves, it is the identity by default.
    public var master = Curves.gentle
    /// For red.
    public var red = CurvePoints.identity
    /// For green.
    public var green = CurvePoints.identity
    /// For blue.
    public var blue = CurvePoints.identity

    public static let name = "curves"
    public static let summary = "Curves through points, for all channels and for each"
    public static let group = FilterGroup.light
    public static let parameters = [
        Parameter<Self>("master", \.master, "for all channels: value/result of each point"),
        Parameter<Self>("red", \.red, "for red, before the master"),
        Parameter<Self>("green", \.green, "for green, before the master"),
        Parameter<Self>("blue", \.blue, "for blue, before the master"),
    ]

    /// A little more contrast; chosen by eye.
    private static let gentle =
        CurvePoints([.init(0, 0), .init(0.25, 0.2), .init(0.75, 0.82), .init(1, 1)]) ?? .identity

    public init() {}

    public func defaults(beside names: Set<String>) -> Self {
        names.isEmpty ? self : Self(master: .identity)
    }

    /// - Parameters:
    ///   - master: for all channels, after their own.
    ///   - red: for red.
    ///   - green: for green.
    ///   - blue: for blue.
    public init(
        master: CurvePoints = .identity, red: CurvePoints = .identity, green: CurvePoints = .identity,
        blue: CurvePoints = .identity
    ) {
        self.master = master
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// A curve that falls makes dark what was bright.
    public var gainMapRule: GainMapRule {
        [master, red, green, blue].allSatisfy { $0.points.map { Double($0.output) }.rise }
            ? .kept : .leftOut
    }

    public func stages(for photo: PhotoGeometry) -> [Stage] {
        let channels = Set([red, green, blue]).count == 1 ? [red] : [red, green, blue]
        guard (channels + [master]).contains(where: { $0 != .identity }) else { return [] }
        let master = master.function
        let curves = channels.map { channel in
            let own = channel.function
            return { (x: Double) in master(own(x)) }
        }
        return [.toneCurve(curves, channels.count == 1 ? .keepsGrey : .makesColour)]
    }
}
