/// Yields a photo's rows, top to bottom: a decoder, or something that stands between a decoder and a device.
public protocol StripSource: AnyObject {
    var geometry: PhotoGeometry { get }
    var layout: PixelLayout { get }

    /// Fills `strip` with the photo's next rows, and sets its `firstRow`, `rowCount` and `hasBlockPadding`.
    ///
    /// Gives `strip.rowCapacity` rows, fewer only at the photo's end, and none after it.
    /// - Parameter strip: of this source's layout and width.
    /// - Throws: where the file is damaged or cannot be read.
    func read(into strip: Strip) throws
}

/// Takes a photo's rows, top to bottom: an encoder.
public protocol StripSink: AnyObject {
    var layout: PixelLayout { get }

    /// Takes the strip's rows, which follow those taken before.
    ///
    /// - Parameter strip: of this sink's layout. Every strip but the photo's last has a multiple of
    ///   `strip.rowGranularity` rows.
    /// - Throws: where the output cannot be written.
    func write(_ strip: Strip) throws
}
