extension FixedWidthInteger {
    /// Most significant byte first, as in PNG, ICC profiles and XMP in JPEGs.
    package var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
    /// Least significant byte first, as in RIFF files.
    package var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }
}
