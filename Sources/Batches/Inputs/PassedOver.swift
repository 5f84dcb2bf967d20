import TintypeFiles
import TintypeImaging

/// Files in the folders of a run that are not among its photos.
public struct PassedOver: Hashable, Sendable {
    /// Counts of files that Tintype does not read, by the kind that the extension names: `GIF`, `RAW`, `unfinished` (of
    /// another program's download or copy), `RAW beside a photo` (of the same name, which the camera has made of it), or
    /// `other`.
    public private(set) var files: [String: Int] = [:]
    /// Number of photos that Tintype has made, or that lie in the run's output folder.
    public internal(set) var ownOutputCount = 0
    /// Number of files and folders that globs leave out. What is in such a folder is not counted.
    public internal(set) var excludedCount = 0

    /// Number of symbolic links to folders that were not followed.
    public internal(set) var linkedFolderCount = 0
    /// Number of folders that were not searched because a followed link leads back to them.
    public internal(set) var circleCount = 0

    public init() {}

    mutating func add(_ name: FileName) {
        files[Self.kind(of: name) ?? Self.other, default: 0] += 1
    }

    mutating func addUnfinished() { files["unfinished", default: 0] += 1 }
    mutating func addRAWTwin() { files["RAW beside a photo", default: 0] += 1 }

    private static let other = "other", raw = "RAW"

    /// What Tintype does not read or write, as the extension names it, such as `GIF` or `RAW`; nil for other extensions.
    static func kind(of name: FileName) -> String? {
        name.fileExtension.flatMap { kinds[$0.lowercased()] }
    }

    /// Whether a file is a RAW photo of a kind that is not read, as its name says. Many such photos begin like a TIFF.
    static func isUnreadRAW(_ name: FileName, _ format: PhotoFormat) -> Bool {
        kind(of: name) == raw && (format != .raw || name.format != .raw)
    }

    /// Sentences such as `Skipped 13 files: 3 GIF, 10 RAW.`; nil if nothing was skipped.
    public var summary: String? {
        var sentences: [String] = []
        let count = files.values.reduce(0, +)
        if count > 0 {
            let kinds = files.sorted {
                ($0.key == Self.other ? 1 : 0, $0.key) < ($1.key == Self.other ? 1 : 0, $1.key)
            }
            let details =
                if files[Self.other] == count {
                    count == 1 ? " that is no photo" : " that are no photos"
                } else { ": " + kinds.map { "\($0.value) \($0.key)" }.joined(separator: ", ") }
            sentences.append("Skipped \(count) \(count == 1 ? "file" : "files")\(details).")
        }
        if ownOutputCount > 0 {
            let (photos, them) = ownOutputCount == 1 ? ("photo", "it") : ("photos", "them")
            sentences.append(
                "Skipped \(ownOutputCount) \(photos) that Tintype made; name \(them) to filter \(them) again."
            )
        }
        if linkedFolderCount > 0 {
            let (links, them) =
                linkedFolderCount == 1 ? ("link to a folder", "it") : ("links to folders", "them")
            sentences.append("Skipped \(linkedFolderCount) \(links); \(Wording.followLinks(them).text).")
        }
        if circleCount > 0 {
            let (folders, lead) = circleCount == 1 ? ("folder", "it") : ("folders", "them")
            sentences.append("Skipped \(circleCount) \(folders), because a link leads back to \(lead).")
        }
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }

    private static let kinds: [String: String] = {
        let extensions = [
            "GIF": "gif", "BMP": "bmp dib", "JPEG 2000": "jp2 j2k jpf jpx", "PSD": "psd psb", "SVG": "svg",
            "video": "3gp avi m2ts m4v mkv mov mp4 mpg mpeg mts webm wmv",
            raw:
                PhotoFormat.raw.kind.fileExtensions.joined(separator: " ")
                + " 3fr ari bay crw dcr dcs erf fff gpr iiq k25 kdc mef mos mrw raw rwl rwz sr2 srf x3f",
        ]
        return Dictionary(
            uniqueKeysWithValues: extensions.flatMap { kind, names in
                names.split(separator: " ").map { (String($0), kind) }
            })
    }()
}
