/// One output that a photo gets.
package struct PhotoOutput {
    /// Where the output's bytes go.
    package enum Place {
        /// A file with this path. It is complete or absent.
        case file(path: String)
        /// An image, which has no name.
        case image
        /// Standard output, which gets complete results only.
        case standardOutput

        /// - Parameter output: nil is an image.
        /// - Precondition: not an object, which is made as a staged file.
        package init(_ output: PhotoJob.Output?) {
            switch output {
            case nil: self = .image
            case .file(let path): self = .file(path: path)
            case .standardOutput: self = .standardOutput
            case .object: preconditionFailure("an object is made from a staged file")
            }
        }
    }

    /// Index of its recipe among those of the photo.
    let recipe: Int
    let place: Place
    /// The output's name for users; that of a staged file is another one.
    let name: String?
    /// Whether an existing file is replaced.
    let overwrites: Bool
    /// Whether the file is temporary, so that it need not be durable, and replaces what is there.
    let isStaged: Bool
    private(set) var willPublish: PhotoPipeline.WillPublish?

    /// - Parameters:
    ///   - recipe: index of its recipe among those of the photo.
    ///   - overwrites: whether an existing file is replaced.
    package init(_ place: Place, recipe: Int = 0, overwrites: Bool) {
        if case .file(let path) = place { name = path } else { name = nil }
        self.place = place
        self.recipe = recipe
        self.overwrites = overwrites
        isStaged = false
    }

    /// An output that is written to a temporary file, and taken to its place later.
    package init(_ name: String, stagedAt path: String, recipe: Int = 0) {
        self.name = name
        place = .file(path: path)
        self.recipe = recipe
        overwrites = true
        isStaged = true
    }

    /// The same output, which calls `willPublish` once its file is complete: see `PhotoPipeline.process`.
    package func announcing(_ willPublish: PhotoPipeline.WillPublish?) -> PhotoOutput {
        var output = self
        output.willPublish = willPublish
        return output
    }
}
