extension FixedWidthInteger {
    /// As PNG, XMP in JPEGs and ICC profiles have them: the highest byte first.
    package var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
