/// Yields a photo's rows, top to bottom: a decoder, or a stage between a decoder and a device.
public protocol StripSource: AnyObject {
    /// The photo's size and orientation.
    var geometry: PhotoGeometry { get }
    /// The layout of the strips that `read` fills.
    var layout: PixelLayout { get }

    /// Fills `strip` with the photo's next rows, and sets its `firstRow`, `rowCount` and `hasBlockPadding`.
    ///
    /// It gives `strip.rowCapacity` rows, fewer only at the photo's end, and none after it.
    ///
    /// - Parameter strip: has this source's layout and width.
    /// - Throws: an error if the file is damaged or cannot be read.
    func read(into strip: Strip) throws

    /// An upper estimate of the bytes that the source keeps beside the strips that it fills; 0 by default. A decoder's are
    /// not among them.
    ///
    /// - Parameter stripRows: the height of the strips that it fills.
    func memoryByteCount(stripRows: Int) -> Int
}

extension StripSource {
    public func memoryByteCount(stripRows: Int) -> Int { 0 }
}

/// Takes a photo's rows, top to bottom: an encoder.
public protocol StripSink: AnyObject {
    /// The layout of the strips that `write` takes.
    var layout: PixelLayout { get }

    /// Takes the strip's rows, which follow the rows of the previous call.
    ///
    /// - Parameter strip: has this sink's layout. Every strip but the photo's last has a multiple of
    ///   `strip.rowGranularity` rows.
    /// - Throws: an error if the output cannot be written.
    func write(_ strip: Strip) throws
}
