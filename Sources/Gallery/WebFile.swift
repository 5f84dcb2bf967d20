import CTintypeWeb

/// A file of the page, embedded in the program.
struct WebFile: Sendable {
    let bytes: [UInt8]
    let type: String

    /// - Returns: nil if the page has no file of this name.
    static func named(_ name: String) -> WebFile? { files[name] }

    private static let files: [String: WebFile] = {
        var count = 0
        let files = UnsafeBufferPointer(start: cweb_files(&count), count: count)
        return Dictionary(
            uniqueKeysWithValues: files.map { file in
                let name = String(cString: file.name)
                let bytes = UnsafeBufferPointer(start: file.bytes, count: file.byte_count)
                return (name, WebFile(bytes: Array(bytes), type: type(of: name)))
            })
    }()

    private static func type(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "svg": "image/svg+xml"
        case "js": "text/javascript; charset=utf-8"
        default: preconditionFailure("\(name) has no type")
        }
    }
}
