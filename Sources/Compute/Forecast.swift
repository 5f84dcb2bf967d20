import TintypeRendering

/// What `auto` expects of the devices that it has chosen, to be compared with what came.
package struct Forecast: Equatable, Sendable {
    /// Once all devices have started, and until then.
    let megapixelsPerSecond, megapixelsPerSecondBefore: Double
    let startupSeconds: Double
    /// The device that does all photos; nil if several do.
    package internal(set) var device: DeviceInfo?

    /// How long a run would take.
    package func seconds(ofMegapixels megapixels: Double) -> Double {
        let left = megapixels - megapixelsPerSecondBefore * startupSeconds
        return left <= 0
            ? megapixels / megapixelsPerSecondBefore : startupSeconds + left / megapixelsPerSecond
    }
}
