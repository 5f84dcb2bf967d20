import Foundation

/// A certificate authority, and a server certificate of it for 127.0.0.1, made anew by `openssl` for each
/// test.
enum TestCertificates {
    static func make(in folder: TemporaryFolder) throws {
        try folder.write("extensions", "subjectAltName=IP:127.0.0.1\n")
        try openssl(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "2", "-subj", "/CN=Test authority", "-keyout", folder.path("ca.key"), "-out",
            folder.path("ca.pem"))
        try openssl(
            "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj",
            "/CN=127.0.0.1", "-keyout", folder.path("server.key"), "-out", folder.path("server.csr"))
        try openssl(
            "x509", "-req", "-in", folder.path("server.csr"), "-CA", folder.path("ca.pem"), "-CAkey",
            folder.path("ca.key"), "-CAcreateserial", "-days", "2", "-extfile", folder.path("extensions"),
            "-out", folder.path("server.pem"))
    }

    private static func openssl(_ arguments: String...) throws {
        try ChildProcess.run("/usr/bin/openssl", arguments)
    }
}
