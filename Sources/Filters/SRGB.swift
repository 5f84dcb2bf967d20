import Foundation

/// The curve of sRGB (IEC 61966-2-1), exactly. Kernels approximate it: `Kernels/srgb.cl`.
enum SRGB {
    /// The linear light of an encoded value, both 0...1.
    static func light(of value: Double) -> Double {
        value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    /// The encoded value of linear light, both 0...1.
    static func encoded(_ light: Double) -> Double {
        light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }
}
