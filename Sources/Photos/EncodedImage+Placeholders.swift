import Foundation
import TintypeCodecs
import TintypeImaging

extension EncodedImage {
    /// Shown until there is an image: one light grey pixel, which the view stretches.
    public static let placeholder = onePixel(idat: "AAAADElEQVR4nGO4cOECAATkAnECaf5b")

    /// Shown for a photo that has failed: one red pixel, which the view stretches.
    public static let failed = onePixel(idat: "AAAADElEQVR4nGM4YGAAAALUASE6aDcJ")

    /// A PNG of one RGB pixel, in base64. Only the `IDAT` chunk with its colour varies.
    private static func onePixel(idat: String) -> EncodedImage {
        let start = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1Pe"
        let text = start + idat + "AAAAAElFTkSuQmCC"
        let bytes = [UInt8](Data(base64Encoded: text) ?? Data())
        return EncodedImage(memory: bytes, format: PhotoFormat.detect(bytes))
    }
}
