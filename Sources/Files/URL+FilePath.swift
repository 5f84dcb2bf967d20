import Foundation

extension URL {
    /// The path of a file's URL, without a slash at its end; nil for other URLs, and for a path that is not UTF-8.
    package var filePath: String? {
        guard isFileURL, let path = absoluteURL.path(percentEncoded: true).removingPercentEscapes,
            !path.isEmpty, !path.utf8.contains(0)
        else { return nil }
        return path.trimmingTrailingSlashes
    }
}
