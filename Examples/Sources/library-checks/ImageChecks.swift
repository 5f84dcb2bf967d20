import Foundation
import Tintype

@MainActor func checkImages(_ report: Report, _ folder: Folder) async throws {
    let png = try EncodedImage(picture, as: .png)
    let jpeg = try EncodedImage(picture, as: .jpeg)
    await report.check("pixels become a PNG") { png.format == .png }
    await report.check("pixels become a JPEG") { jpeg.format == .jpeg }
    await report.check("a PNG has its size") { try png.geometry == PhotoGeometry(width: 40, height: 30) }
    await report.check("a JPEG has its size") { try jpeg.geometry.pixelCount == 1200 }
    await report.check("an image is upright") { try png.geometry.orientation == .up }
    await report.check("an image of pixels has no metadata") {
        try png.metadata.exif == nil && png.metadata.icc == nil
    }
    await report.check("a PNG keeps every sample") { try png.pixels() == picture }
    await report.check("a JPEG keeps the picture nearly") {
        try difference(jpeg.pixels(.rgb8).bytes, samples) < 6
    }
    await report.check("a JPEG has planes") { try jpeg.pixels().layout == .yCbCr(.s420) }
    await report.check("alpha is opaque where there was none") {
        let rgba = try png.pixels(.rgba8).bytes
        return stride(from: 3, to: rgba.count, by: 4).allSatisfy { rgba[$0] == 255 } && rgba.count == 4800
    }
    await report.check("16 bits repeat the 8") {
        try png.pixels(.rgb16).samples16 == samples.map { UInt16($0) * 257 }
    }
    await report.check("grey has a sample a pixel") { try png.pixels(layout: .grey8).bytes.count == 1200 }
    await report.check("a higher quality takes more bytes") {
        try EncodedImage(picture, as: .jpeg, quality: 95).data.count
            > EncodedImage(picture, as: .jpeg, quality: 30).data.count
    }
    await report.refuses("there is no quality 0", as: PhotoError.self) {
        _ = try EncodedImage(picture, as: .jpeg, quality: 0)
    }

    try png.write(to: folder.path("a.png"))
    let bytes = try Data(contentsOf: folder.file("a.png"))
    await report.check("a path is written") { try png.data == bytes && !bytes.isEmpty }
    await report.check("a URL is written") {
        try png.write(to: folder.file("b c%20.png"))
        return try Data(contentsOf: folder.file("b c%20.png")) == bytes
    }
    await report.check("folders on the way are made") {
        try png.write(to: folder.path("new/deep/a.png"))
        return folder.has("new/deep/a.png")
    }
    await report.refuses(
        "a file is not replaced", as: PhotoError.self,
        fits: { $0 == .outputExists(path: folder.path("a.png")) }
    ) {
        try jpeg.write(to: folder.path("a.png"))
    }
    await report.check("the file is as before, and nothing is beside it") {
        try Data(contentsOf: folder.file("a.png")) == bytes
            && folder.names() == ["a.png", "b c%20.png", "new"]
    }
    await report.check("a file is replaced if asked for") {
        try jpeg.write(to: folder.file("b c%20.png"), overwrites: true)
        return try EncodedImage(path: folder.path("b c%20.png")).format == .jpeg
    }
    await checkReading(report, folder, bytes)
    try await checkCopies(report, png, jpeg)
}

@MainActor private func checkReading(_ report: Report, _ folder: Folder, _ bytes: Data) async {
    await report.check("an image is read from a path") {
        try EncodedImage(path: folder.path("a.png")).data == bytes
    }
    await report.check("an image is read from a URL") {
        try EncodedImage(contentsOf: folder.file("a.png")).pixels() == picture
    }
    await report.check("an image is made of data") { try EncodedImage(data: bytes).pixels() == picture }
    await report.check("an image is made of bytes") {
        try EncodedImage(bytes: [UInt8](bytes)).bytes() == [UInt8](bytes)
    }
    await report.refuses("a file that is not there cannot be read", as: PhotoError.self) {
        _ = try EncodedImage(contentsOf: folder.file("none.png"))
    }
    await report.refuses("a folder is no photo", as: PhotoError.self, fits: { $0 == .notARegularFile }) {
        _ = try EncodedImage(contentsOf: folder.url)
    }
    await report.refuses("a web address is not read as a file", as: PhotoError.self) {
        _ = try EncodedImage(contentsOf: URL(string: "https://example.com/a.png") ?? folder.url)
    }
    await report.check("text has no format") { try EncodedImage(data: Data("hello".utf8)).format == nil }
    await report.refuses("text has no pixels", as: PhotoError.self) {
        _ = try EncodedImage(data: Data("hello".utf8)).pixels()
    }
    await report.refuses("text has no size", as: PhotoError.self) {
        _ = try EncodedImage(data: Data("hello".utf8)).geometry
    }
    await report.refuses(
        "a photo that is cut off is damaged", as: PhotoError.self, fits: { $0 == .codec(.truncated) }
    ) {
        _ = try EncodedImage(data: bytes.prefix(bytes.count / 2)).pixels()
    }
    await report.check("a photo that is cut off still tells its size") {
        try EncodedImage(data: bytes.prefix(bytes.count / 2)).geometry.width == 40
    }
    await report.refuses(
        "a limit of bytes is kept", as: PhotoError.self,
        fits: { $0 == .tooLargeForMemory(byteCount: bytes.count, limit: 10) }
    ) {
        _ = try EncodedImage(data: bytes).bytes(limit: 10)
    }
    await report.refuses("a limit of pixels is kept", as: PhotoError.self) {
        _ = try EncodedImage(data: bytes).pixels(limits: DecodeLimits(maxPixels: 1199))
    }
    await report.check("an image above the memory's limit is the same") {
        let noise = (0..<200 * 200 * 3).map { _ in UInt8.random(in: 0...255) }
        let image = try EncodedImage(Pixels(noise, width: 200, height: 200, layout: .rgb8), as: .png)
        return try image.data.count > EncodedImage.memoryLimit && image.pixels().bytes == noise
    }
}

@MainActor private func checkCopies(_ report: Report, _ png: EncodedImage, _ jpeg: EncodedImage) async throws
{
    await report.check(
        "a thumbnail has a long side as asked for"
    ) {
        try png.thumbnail(longSide: 10).geometry == PhotoGeometry(width: 10, height: 8)
    }
    await report.check("a thumbnail of an opaque photo is a JPEG") {
        try png.thumbnail(longSide: 10).format == .jpeg
    }
    await report.check("a thumbnail does not enlarge") {
        try png.thumbnail(longSide: 1000).geometry.width == 40
    }
    await report.check("a thumbnail of a transparent photo is a PNG") {
        let clear = Pixels([UInt8](repeating: 0, count: 64), width: 4, height: 4)
        return try EncodedImage(clear, as: .png).thumbnail(longSide: 2).format == .png
    }
    await report.check("a PNG becomes a JPEG") { try await png.converted(to: .jpeg).format == .jpeg }
    await report.check("a JPEG becomes a PNG of its pixels") {
        try await jpeg.converted(to: .png).pixels(.rgb8) == jpeg.pixels(.rgb8)
    }
    await report.check("a lower quality takes fewer bytes") {
        let small = try await png.converted(to: .jpeg, quality: .value(20)).data.count
        return try await small < png.converted(to: .jpeg, quality: .value(90)).data.count
    }
    await report.check("a placeholder is one grey pixel") {
        let pixels = try EncodedImage.placeholder.pixels(.rgb8)
        return pixels.bytes.count == 3 && Set(pixels.bytes).count == 1
    }
    await report.check("a failure is one red pixel") {
        let bytes = try EncodedImage.failed.pixels(.rgb8).bytes
        return bytes.count == 3 && bytes[0] > bytes[1] && bytes[0] > bytes[2]
    }
}

@MainActor func checkPixels(_ report: Report) async {
    await report.check("pixels have their size") {
        picture.geometry.width == 40 && picture.geometry.height == 30
    }
    await report.check("pixels are RGBA unless said otherwise") {
        Pixels([1, 2, 3, 4], width: 1, height: 1).layout == .interleaved(.rgba, .eight)
    }
    await report.check("RGB of 16 bits has 6 bytes a pixel") {
        Pixels.byteCount(of: PhotoGeometry(width: 5, height: 2), layout: .rgb16) == 60
    }
    await report.check("chroma of 4:2:0 is rounded up") {
        Pixels.byteCount(of: PhotoGeometry(width: 3, height: 3), layout: .yCbCr(.s420)) == 9 + 2 * 4
    }
    await report.check("clear pixels are white without alpha") {
        try Pixels([0, 0, 0, 0], width: 1, height: 1).converted(to: .rgb8).bytes == [255, 255, 255]
    }
    await report.check("half clear black is grey without alpha") {
        try near(Pixels([0, 0, 0, 128], width: 1, height: 1).converted(to: .rgb8).bytes, [127, 127, 127])
    }
    // BT.601: 0.299, 0.587 and 0.114 of 255.
    for (rgb, grey) in [([255, 0, 0], 76), ([0, 255, 0], 150), ([0, 0, 255], 29)] as [([UInt8], UInt8)] {
        await report.check("\(rgb) is \(grey) as grey") {
            try near(Pixels(rgb, width: 1, height: 1, layout: .rgb8).converted(to: .grey8).bytes, [grey])
        }
    }
    await report.check("grey becomes RGB") {
        try Pixels([7, 200], width: 2, height: 1, layout: .grey8).converted(to: .rgb8).bytes == [
            7, 7, 7, 200, 200, 200,
        ]
    }
    await report.check("8 bits become 16 and back") {
        try picture.converted(to: .rgb16).converted(to: .rgb8) == picture
    }
    await report.check("samples of 16 bits go in and out") {
        Pixels([1, 256, 65535], PhotoGeometry(width: 1, height: 1), .rgb).samples16 == [1, 256, 65535]
    }
    await report.check("equal pixels are equal, others are not") {
        var other = samples
        other[17] ^= 1
        return picture == Pixels(samples, width: 40, height: 30, layout: .rgb8)
            && picture != Pixels(other, width: 40, height: 30, layout: .rgb8)
    }
    await report.check("a turned size is shown with its sides swapped") {
        let size = PhotoGeometry(width: 4, height: 2, orientation: .right)
        return size.shownWidth == 2 && size.shownHeight == 4 && size.pixelCount == 8
    }
}
