import TintypeCodecs
import TintypeFilters
import TintypeImaging

/// How all outputs of a photo are made: decoded, rendered and encoded. It is made from the header, once for all reads of
/// the file.
struct PhotoPlan {
    /// For each recipe its draft, or its error.
    let drafts: [Result<RenderDraft, CodecError>]
    private let header: Header

    /// What drafts depend on.
    private struct Header: Equatable {
        let format: PhotoFormat
        let geometry: PhotoGeometry
        let layout: PixelLayout
        let jpegCoding: JPEGCoding?
        let metadata: PhotoMetadata

        init(_ reader: PhotoReader) {
            format = reader.format
            geometry = reader.geometry
            layout = reader.layout
            jpegCoding = reader.jpegCoding
            metadata = reader.metadata
        }
    }

    /// - Parameter encoded: recipes whose outputs cannot be copies. The others do not depend on it.
    init(_ reader: PhotoReader, _ recipes: [Recipe], encoding encoded: Set<Int>) {
        var drafts = RenderDraft.drafts(reader, recipes)
        for index in encoded {
            drafts[index] = Result { () throws(CodecError) in
                try RenderDraft(reader, recipes[index], keepsImage: false)
            }
        }
        self.drafts = drafts
        header = Header(reader)
    }

    /// Whether the photo is the same as before, as far as drafts depend on it: its file may be another one now.
    func applies(to reader: PhotoReader) -> Bool { header == Header(reader) }

    /// The first output, and others that can be made of the same decoded samples.
    ///
    /// - Parameters:
    ///   - outputs: at least one.
    ///   - most: how many outputs may be made at once.
    ///   - recipe: an output's recipe.
    /// - Throws: the error of the first output's draft.
    func sharingDecode(_ outputs: [Int], most: Int, recipe: (Int) -> Int) throws(CodecError) -> [Int] {
        // A copy of the compressed bytes has no samples.
        let first = try drafts[recipe(outputs[0])].get()
        guard let samples = first.decoding?.samples, !first.losesImage else { return [outputs[0]] }
        let sharing = outputs.filter {
            guard let draft = try? drafts[recipe($0)].get() else { return false }
            return draft.decoding?.samples == samples && !draft.losesImage
        }
        return Array(sharing.prefix(most))
    }
}
