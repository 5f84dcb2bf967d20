import CTintypeCurl
import Glibc

extension EasyHandle {
    /// Sets all options of a request, except its callbacks.
    ///
    /// - Parameter remaining: time left of the whole download's timeout.
    func configure(
        _ configuration: DownloaderConfiguration, address: WebAddress, byteLimit: Int,
        resume: Spool.ResumePoint?, remaining: Duration
    ) throws(DownloadError) {
        let endpoint = try address.s3Location == nil ? nil : configuration.s3.resolved()
        let url = address.s3Location.flatMap { endpoint?.url($0) } ?? address.text
        try configureRequest(configuration, url: url, timeout: remaining)
        try setRedirects(configuration)
        try set(CURLOPT_MAXFILESIZE_LARGE, offset: byteLimit)
        // Asks for the photo as it is, and unpacks what is stored packed all the same.
        try set(CURLOPT_ACCEPT_ENCODING, "identity")
        if let resume {
            // Not CURLOPT_RESUME_FROM, which fails if the server sends the whole body, as If-Range allows.
            try set(CURLOPT_RANGE, "\(resume.offset)-")
        }
        let resuming = resume.map { ["If-Range: \($0.validator.text)"] } ?? []
        // Credentials and headers of web servers are not for object stores.
        if let endpoint { return try sign(endpoint, for: address.redacted, headers: resuming) }
        // Credentials in the address take precedence.
        if let credentials = configuration.credentials, !address.hasCredentials {
            try set(CURLOPT_USERNAME, credentials.user)
            try set(CURLOPT_PASSWORD, credentials.password)
        }
        let own = configuration.headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        if !(own + resuming).isEmpty { try setHeaders(own + resuming) }
    }

    /// Sets what a request of any kind needs, whatever it asks for.
    package func configureRequest(
        _ configuration: DownloaderConfiguration, url: String, timeout: Duration
    ) throws(DownloadError) {
        try set(CURLOPT_URL, url)
        try set(CURLOPT_USERAGENT, configuration.userAgent)
        try setConnection(configuration, isEncrypted: url.hasPrefix("https:"))
        try set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds: configuration.connectTimeout)
        try set(CURLOPT_TIMEOUT_MS, milliseconds: timeout)
        try set(CURLOPT_LOW_SPEED_LIMIT, configuration.minimumBytesPerSecond)
        try set(CURLOPT_LOW_SPEED_TIME, max(1, configuration.stallTimeout.milliseconds / 1000))
    }

    private func setRedirects(_ configuration: DownloaderConfiguration) throws(DownloadError) {
        try set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
        try set(CURLOPT_FOLLOWLOCATION, 1)
        try set(CURLOPT_MAXREDIRS, configuration.maximumRedirects)
        // libcurl's default, made explicit: credentials are sent only to their host.
        try set(CURLOPT_UNRESTRICTED_AUTH, 0)
    }

    private func setConnection(
        _ configuration: DownloaderConfiguration, isEncrypted: Bool
    ) throws(DownloadError) {
        try set(CURLOPT_PROTOCOLS_STR, "http,https")
        try set(CURLOPT_SSL_VERIFYPEER, 1)
        try set(CURLOPT_SSL_VERIFYHOST, 2)
        if let file = configuration.certificateFile { try set(CURLOPT_CAINFO, file) }
        try set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        // Transfers to an HTTPS host wait for its first connection, to share it if it uses HTTP/2.
        if isEncrypted { try set(CURLOPT_PIPEWAIT, 1) }
        try set(CURLOPT_NOSIGNAL, 1)
        // Without it, a cancelled transfer would block all others until its name lookup ends.
        try set(CURLOPT_QUICK_EXIT, 1)
        try set(CURLOPT_TCP_KEEPALIVE, 1)
        try set(CURLOPT_BUFFERSIZE, 64 << 10)
        try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        try check(ccurl_set_open_socket(raw, openSocket))
        switch configuration.proxy {
        case .environment: break
        case .direct: try set(CURLOPT_PROXY, "")
        case .server(let server):
            try set(CURLOPT_PROXY, server)
            try set(CURLOPT_NOPROXY, "")
        }
    }
}

/// Like libcurl's default, but with `SOCK_CLOEXEC`: a child process must not keep a cancelled transfer's
/// connection open.
private let openSocket: curl_opensocket_callback = { _, _, address in
    guard let address else { return -1 }
    let type = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
    return socket(address.pointee.family, type, address.pointee.protocol)
}
