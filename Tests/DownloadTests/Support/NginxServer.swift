import Foundation
import Glibc
import TestSupport

/// An nginx of our own, on free ports of 127.0.0.1, with a folder of its own.
final class NginxServer {
    private static let executable = "/usr/sbin/nginx"

    let folder: TemporaryFolder
    let port: Int
    /// HTTP/2 over TLS.
    let securePort: Int
    private let reservations: [Int32]
    private let process: ChildProcess

    /// The certificate authority that the server's certificate comes from.
    var certificateAuthority: String { folder.path("ca.pem") }

    /// - Parameter files: names and contents of what `/` serves.
    init(files: [String: [UInt8]] = [:]) throws {
        guard FileManager.default.isExecutableFile(atPath: Self.executable) else {
            throw ChildProcess.Failure(
                description: "\(Self.executable) is missing: install the package nginx-light.")
        }
        folder = try TemporaryFolder()
        // The sockets stay bound, so that no other test gets the ports before nginx listens there.
        let sockets = try [boundToLoopback(sharesPort: true), boundToLoopback(sharesPort: true)]
        reservations = sockets.map(\.descriptor)
        port = Int(sockets[0].port)
        securePort = Int(sockets[1].port)
        try TestCertificates.make(in: folder)
        try folder.write("nginx.conf", nginxConfiguration(port: port, securePort: securePort, folder: folder))
        for (name, bytes) in files { try folder.write("files/\(name)", bytes) }
        process = try ChildProcess(
            Self.executable,
            ["-p", folder.url.path, "-c", folder.path("nginx.conf"), "-e", folder.path("error.log")])
        try waitUntilItListens()
    }

    deinit {
        process.stop()
        for descriptor in reservations { close(descriptor) }
    }

    func url(_ target: String) -> URL { URL(string: "http://127.0.0.1:\(port)\(target)")! }
    func secureURL(_ target: String) -> URL { URL(string: "https://127.0.0.1:\(securePort)\(target)")! }

    /// `STATUS RANGE TARGET` of every request so far, in the order in which they ended.
    ///
    /// - Parameter count: nginx writes a line after it has sent the response, so wait until there are this
    ///   many.
    func log(count: Int) throws -> [String] {
        var lines: [String] = []
        let isComplete = try eventually {
            let log = try String(contentsOfFile: folder.path("access.log"), encoding: .utf8)
            lines = log.split(separator: "\n").map(String.init)
            return lines.count >= count
        }
        guard isComplete else {
            throw ChildProcess.Failure(description: "nginx did not log \(count) requests.")
        }
        return lines
    }

    private func waitUntilItListens() throws {
        var listens = false
        _ = eventually {
            listens = canConnect(to: port) && canConnect(to: securePort)
            return listens || !process.isRunning
        }
        if listens { return }
        let log = (try? String(contentsOfFile: folder.path("error.log"), encoding: .utf8)) ?? ""
        throw ChildProcess.Failure(description: "nginx did not start:\n\(log)")
    }
}

private func canConnect(to port: Int) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in.loopback
    address.sin_port = UInt16(port).bigEndian
    return withUnsafePointer(to: &address) { address in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
    }
}

private func nginxConfiguration(port: Int, securePort: Int, folder: TemporaryFolder) -> String {
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map { "\($0)_temp_path \(folder.path("temp-\($0)"));" }.joined(separator: "\n    ")
    return """
        daemon off;
        master_process off;
        pid \(folder.path("nginx.pid"));
        events { worker_connections 256; }
        http {
            \(temporary)
            log_format short '$status $http_range $request_uri';
            access_log \(folder.path("access.log")) short;
            # As long as tests are given.
            keepalive_timeout 600s;
            # Slow at first, so that there is time to cancel; as fast as can be when asked for the rest.
            map $http_range $rate { "" 4k; default 0; }
            server {
                listen 127.0.0.1:\(port) reuseport;
                listen 127.0.0.1:\(securePort) reuseport ssl http2;
                ssl_certificate \(folder.path("server.pem"));
                ssl_certificate_key \(folder.path("server.key"));
                root \(folder.path("files"));
                location = /connection { return 200 "$server_protocol $connection"; }
                location = /failing { return 500; }
                location ~ ^/redirect/1$ { return 302 /photo; }
                location ~ ^/redirect/2$ { return 301 /redirect/1; }
                location ~ ^/redirect/3$ { return 307 /redirect/2; }
                location ~ ^/redirect/4$ { return 308 /redirect/3; }
                location ~ ^/redirect/5$ { return 303 /redirect/4; }
                location ~ ^/redirect/6$ { return 302 /redirect/5; }
                location /slow/ { alias \(folder.path("files"))/; limit_rate $rate; }
            }
        }
        """
}
