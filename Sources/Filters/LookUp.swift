import TintypeImaging
import TintypeStages

/// The colours of a table, such as a film's look.
///
/// - Colour: sRGB-encoded, straight alpha; alpha passes through.
/// - Definition: a cube is interpolated in the six tetrahedra around the diagonal from each node to the opposite one, as
///   ffmpeg's `lut3d` does; a line linearly. Values beyond the table's domain take its nearest entry.
/// - Source: Adobe, "Cube LUT Specification", version 1.0; E. Correia, "CLUT with Hald images".
public struct LookUp: Filter {
    /// A `.cube` file, or a Hald CLUT as a PNG, JPEG or WebP. A path is read when a chain is parsed.
    public internal(set) var file = FilterFile("")
    /// 0 leaves the photo unchanged, 1 gives the table's colours.
    public var intensity: Float = 1

    /// Nil without a file.
    private var table: ColourTable?

    public static let name = "lut"
    public static let summary = "The colours of a table, from a .cube file or a Hald CLUT"
    public static let group = FilterGroup.looks
    public static let parameters = [
        Parameter<Self>(
            "file", \.file, "a .cube file, of one dimension or three, or a Hald CLUT as a PNG, JPEG or WebP"),
        Parameter<Self>(
            "intensity", \.intensity, in: 0...1, unit: .fraction,
            "0 leaves the photo unchanged, 1 gives the table's colours"),
    ]

    public static let example = "lut:file=look.cube"

    public init() {}

    /// Reads a `.cube` file, or a Hald CLUT as a PNG, JPEG or WebP.
    ///
    /// - Parameters:
    ///   - intensity: 0...1.
    ///   - files: what may be read.
    /// - Throws: `FilterError` if the file cannot be read or has mistakes.
    public init(contentsOf path: String, intensity: Float = 1, reading files: FilterFiles) throws(FilterError)
    {
        file = FilterFile(path)
        self.intensity = intensity
        try readFiles(files)
    }

    /// - Parameter intensity: 0...1.
    public init(_ table: ColourTable, intensity: Float = 1) {
        self.table = table.inUsualSize()
        self.intensity = intensity
        let numbers = [Float(table.size)] + table.minimum + table.maximum + table.values
        file = FilterFile(contentHash: FilterFile.hash(of: numbers.withUnsafeBytes { Array($0) }))
    }

    public mutating func readFiles(_ files: FilterFiles) throws(FilterError) {
        let (contents, path) = try files.read(&file, for: Self.name)
        do {
            table = try Self.table(contents, files).inUsualSize()
        } catch let problem as CubeFile.Problem {
            throw .invalidFile(filter: Self.name, path: path, line: problem.line, problem: problem.text)
        } catch {
            throw FilterError(unreadable: path, of: Self.name, error)
        }
    }

    private static func table(_ contents: [UInt8], _ files: FilterFiles) throws -> ColourTable {
        if PhotoFormat.detect(contents) != nil { return try HaldPicture.table(files.picture(contents)) }
        let start = Array(contents.prefix(64)), kind = Lookalike.name(of: start)
        if kind != "text", !start.isEmpty {
            let what = kind.map { "it looks like \($0)" } ?? "it is not text"
            throw CubeFile.Problem(
                line: nil, text: "\(what); expected a .cube file, or a Hald CLUT as a PNG, JPEG or WebP")
        }
        return try CubeFile.table(contents)
    }

    /// Its tables do not depend on the photo's length.
    public var tableBytesPerRow: Int { 0 }

    /// Greys tell whether the table makes dark what was bright.
    public var gainMapRule: GainMapRule {
        (table?.lumaOfGreys.rise ?? true) ? .keptInGrey : .leftOut
    }

    public func stages(for photo: PhotoGeometry) -> [Stage] {
        guard intensity > 0, let table else { return [] }
        return [table.stage(intensity: intensity)]
    }
}
