import CTintypeCurl
import TintypeFiles

extension EasyHandle {
    /// SHA-256 of no bytes, in hexadecimal.
    package static let emptyHash = ContentHash.of([])

    /// Signs a request with AWS's Signature Version 4.
    ///
    /// libcurl signs the address as it is, and all `headers`. libcurl 7.88 hashes no body by itself, so the hash is a
    /// header.
    ///
    /// - Parameters:
    ///   - payloadHash: SHA-256 of the body, in hexadecimal.
    ///   - headers: further headers to be signed. libcurl 7.88 sorts them by their lines, not by their names, so no name may
    ///     begin with another one and a hyphen.
    /// - Throws: `DownloadError.noCredentials`, `DownloadError.library`.
    package func sign(
        _ endpoint: S3Endpoint, for location: String, payloadHash: String = EasyHandle.emptyHash,
        headers: [String] = []
    ) throws(DownloadError) {
        guard let credentials = endpoint.credentials else {
            throw .noCredentials(url: location, profile: endpoint.profileName)
        }
        try set(CURLOPT_AWS_SIGV4, "aws:amz:\(endpoint.region):s3")
        // Not CURLOPT_USERPWD, which would split an access key at a colon.
        try set(CURLOPT_USERNAME, credentials.accessKey)
        try set(CURLOPT_PASSWORD, credentials.secretKey)
        // A key may have components such as "..".
        try set(CURLOPT_PATH_AS_IS, 1)
        // A redirect would need another signature. S3 redirects to other regions only.
        try set(CURLOPT_FOLLOWLOCATION, 0)
        let token = credentials.sessionToken.map { ["x-amz-security-token: \($0)"] } ?? []
        try setHeaders(["x-amz-content-sha256: \(payloadHash)"] + token + headers)
    }
}
