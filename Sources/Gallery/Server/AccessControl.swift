import NIOHTTP1

/// Decides which requests the server answers: those of the page that was opened with the printed address.
///
/// The address has a random token, which becomes a cookie that scripts cannot read. A page of another site can
/// lead to this page, with a link, but that sends a GET, which changes nothing and whose answer it cannot read. It can
/// neither send the cookie otherwise nor, by a name of its own for 127.0.0.1, become the same site.
struct AccessControl: Sendable {
    let token: String
    private let port: Int
    /// Cookies of one host are shared by all its ports.
    private var cookieName: String { "tintype-\(port)" }

    init(port: Int) {
        self.port = port
        token = (0..<16).map { _ in
            let byte = String(UInt8.random(in: 0...255), radix: 16)
            return byte.count == 1 ? "0" + byte : byte
        }.joined()
    }

    private var hosts: [String] {
        let names = ["127.0.0.1", "localhost"]
        // Browsers leave out HTTP's own port.
        return names.map { "\($0):\(port)" } + (port == 80 ? names : [])
    }

    /// - Returns: the refusal, or the redirect that sets the cookie; nil if the request may be answered.
    func answer(to request: HTTPRequest) -> HTTPResponse? {
        guard let host = request.header("host"), hosts.contains(host) else {
            return .error(.forbidden, "This server answers only at 127.0.0.1:\(port).")
        }
        guard request.method == .GET || request.method == .HEAD || request.method == .POST else {
            return .error(.methodNotAllowed, "Use GET or POST.")
        }
        if request.method == .GET, request.path == "/", let token = request.query["token"] {
            guard isToken(token) else { return refusal }
            // Strict would keep the cookie back after a click on the address in a page of another site, such as a
            // terminal in the browser.
            return HTTPResponse(
                .seeOther,
                headers: [
                    "location": "/",
                    "set-cookie": "\(cookieName)=\(token); Path=/; HttpOnly; SameSite=Lax",
                ])
        }
        guard let cookie = request.cookie(cookieName), isToken(cookie) else { return refusal }
        if request.method == .POST {
            guard request.header("origin") == "http://\(host)" else {
                return .error(.forbidden, "The request comes from another site.")
            }
            let isFile = request.path == Routes.uploadPath
            guard request.header("content-type") == (isFile ? "application/octet-stream" : "application/json")
            else { return .error(.unsupportedMediaType, isFile ? "Send bytes." : "Send JSON.") }
        }
        return nil
    }

    private var refusal: HTTPResponse {
        .error(.forbidden, "Open the address that 'tintype gallery' has printed.")
    }

    /// Compares in the same time for all tokens.
    private func isToken(_ text: String) -> Bool {
        let (given, expected) = (Array(text.utf8), Array(token.utf8))
        guard given.count == expected.count else { return false }
        return zip(given, expected).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
