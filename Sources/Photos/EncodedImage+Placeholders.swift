import Codecs
import Foundation

extension EncodedImage {
    /// Shown while there is no image: one light grey pixel, for the view to stretch.
    public static let placeholder = onePixel(idat: "AAAADElEQVR4nGO4cOECAATkAnECaf5b")

    /// Shown where there will be none: one red pixel, for the view to stretch.
    public static let failed = onePixel(idat: "AAAADElEQVR4nGM4YGAAAALUASE6aDcJ")

    /// A PNG of one RGB pixel; only the chunk with its colour varies. All parts are base64.
    private static func onePixel(idat: String) -> EncodedImage {
        let start = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1Pe"
        let text = start + idat + "AAAAAElFTkSuQmCC"
        return EncodedImage(memory: [UInt8](Data(base64Encoded: text) ?? Data()), format: .png)
    }
}
