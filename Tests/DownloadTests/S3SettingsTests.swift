import Foundation
import TestSupport
import Testing

@testable import TintypeDownload

/// Where requests go and what signs them: addresses, variables and files.
@Suite struct S3SettingsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func profile(_ variables: [String: String]) -> S3Profile {
        S3Profile(variables.merging(["HOME": folder.url.path]) { first, _ in first })
    }

    @Test func aLocationIsABucketAndAKey() throws {
        let location = try S3Location("s3://photos/a b/c%20d?.jpg")
        #expect(location.bucket == "photos")
        #expect(location.key == "a b/c%20d?.jpg")
        #expect(location.text == "s3://photos/a b/c%20d?.jpg")
        #expect(location.url.absoluteString == "s3://photos/a%20b/c%2520d%3F.jpg")
        #expect(S3Location(location.url) == location)
        #expect(try S3Location("s3://photos").isFolder)
        #expect(try S3Location("s3://photos/in").appending("a.jpg").text == "s3://photos/in/a.jpg")
        #expect(try S3Location("s3://photos/in/").appending("a.jpg").text == "s3://photos/in/a.jpg")
        #expect(try S3Location("s3://photos").appending("a.jpg").text == "s3://photos/a.jpg")
    }

    @Test func namesAreTheRestOfAKeyByBytes() throws {
        let folder = try S3Location("s3://photos/in")
        #expect(try folder.name(of: S3Location("s3://photos/in/b/a.jpg")) == "b/a.jpg")
        #expect(try folder.name(of: S3Location("s3://photos/in/\u{301}a.jpg")) == "\u{301}a.jpg")
        #expect(try folder.name(of: S3Location("s3://photos/inner/a.jpg")) == nil)
        #expect(try folder.name(of: S3Location("s3://other/in/a.jpg")) == nil)
        #expect(try S3Location("s3://photos").name(of: S3Location("s3://photos/a.jpg")) == "a.jpg")
    }

    @Test(arguments: ["\u{301}a.jpg", "\u{301}in/a.jpg", "in/\u{301}b/\u{301}a.jpg"])
    func partsOfAKeyMayBeginWithAnAccent(_ key: String) throws {
        let location = try S3Location("s3://photos/\(key)")
        #expect(location.bucket == "photos")
        #expect(Array(location.key.utf8) == Array(key.utf8))
        #expect(S3Location(location.url).map { Array($0.key.utf8) } == Array(key.utf8))
    }

    /// A prepended mark and the slash after it are one character.
    @Test func aSlashEndsAFolderWhateverPrecedesIt() throws {
        #expect(try S3Location("s3://photos/\u{600}/").isFolder)
        #expect(try !S3Location("s3://photos/in/\u{301}").isFolder)
    }

    @Test(arguments: [
        "s3://", "s3:///a.jpg", "s3://a b/c.jpg", "s3://../x", "s3://user@photos/x", "s3://p:80/x",
        "s3://a/\u{1B}", "s3://\u{301}photos/a.jpg",
    ])
    func otherTextIsNoLocation(_ text: String) {
        #expect(throws: DownloadError.self) { try S3Location(text) }
    }

    @Test func addressesNameBucketsInTheHostOrInThePath() throws {
        func url(_ bucket: String, _ change: (inout S3Configuration) -> Void) throws -> String {
            var configuration = S3Configuration()
            configuration.environment = ["HOME": folder.url.path]
            change(&configuration)
            return try configuration.resolved().url(
                S3Location("s3://\(bucket)/a b"), query: ["prefix": "x/y", "list-type": "2"])
        }
        let query = "?list-type=2&prefix=x%2Fy"
        #expect(
            try url("photos") { $0.region = "eu-north-1" }
                == "https://photos.s3.eu-north-1.amazonaws.com/a%20b\(query)")
        #expect(try url("my.photos") { _ in } == "https://s3.us-east-1.amazonaws.com/my.photos/a%20b\(query)")
        #expect(try url("photos") { $0.endpoint = "http://h:9/" } == "http://h:9/photos/a%20b\(query)")
        #expect(
            try url("photos") {
                $0.endpoint = "http://h:9"
                $0.addressing = .virtual
            } == "http://photos.h:9/a%20b\(query)")
        #expect(
            try url("photos") { $0.addressing = .path }
                == "https://s3.us-east-1.amazonaws.com/photos/a%20b\(query)")
    }

    /// libcurl would guess `http` for the first ones, and send signed requests in the clear.
    @Test(arguments: [
        "storage.example.org", "localhost:9000", "//h", "ftp://h", "https://", "https:///h", "http://u:p@h",
        "https://u@\u{301}h", "https://h?x", "https://h#x", "https://h h", "https://h\u{1}",
    ])
    func anEndpointThatIsNoAddressIsRefused(_ text: String) throws {
        try folder.write(".aws/config", "[profile work]\nendpoint_url = \(text)\n")
        let settings: [(variables: [String: String], setting: String)] = [
            (["AWS_ENDPOINT_URL": text], "AWS_ENDPOINT_URL"),
            (["AWS_ENDPOINT_URL": "https://h", "AWS_ENDPOINT_URL_S3": text], "AWS_ENDPOINT_URL_S3"),
            (["AWS_PROFILE": "work"], "endpoint_url of the profile 'work'"),
        ]
        for (variables, setting) in settings {
            var configuration = S3Configuration()
            configuration.environment = variables.merging(["HOME": folder.url.path]) { first, _ in first }
            #expect(throws: DownloadError.badEndpoint(setting: setting)) { try configuration.resolved() }
            configuration.endpoint = "https://h"
            #expect(throws: Never.self) { try configuration.resolved() }
            configuration.endpoint = text
            #expect(throws: DownloadError.badEndpoint(setting: "S3Configuration.endpoint")) {
                try configuration.resolved()
            }
        }
    }

    @Test func variablesWinOverFiles() throws {
        try folder.write(
            ".aws/credentials",
            """
            # Comments are skipped.
            [default]
            aws_access_key_id = FILEKEY
            aws_secret_access_key=filesecret
            [work]
            aws_access_key_id = WORKKEY
            aws_secret_access_key = worksecret
            aws_session_token = worktoken==
            """)
        try folder.write(
            ".aws/config",
            """
            [default]
            region = eu-central-1
            [profile work]
            region = eu-west-3
            endpoint_url = https://storage.example.org
            s3 =
                addressing_style = virtual
                max_concurrent_requests = 20
            output = json
            """)
        let usual = profile([:])
        #expect(
            usual.credentials
                == S3Credentials(accessKey: "FILEKEY", secretKey: "filesecret", sessionToken: nil))
        #expect(usual.region == "eu-central-1")
        let work = profile(["AWS_PROFILE": "work"])
        #expect(
            work.credentials
                == S3Credentials(accessKey: "WORKKEY", secretKey: "worksecret", sessionToken: "worktoken=="))
        #expect(work.region == "eu-west-3")
        #expect(work.endpoint?.text == "https://storage.example.org")
        #expect(work.addressing == .virtual)
        let variables = profile([
            "AWS_ACCESS_KEY_ID": "K", "AWS_SECRET_ACCESS_KEY": "S", "AWS_SESSION_TOKEN": "T",
            "AWS_REGION": "r", "AWS_ENDPOINT_URL": "https://e",
        ])
        #expect(variables.credentials == S3Credentials(accessKey: "K", secretKey: "S", sessionToken: "T"))
        #expect(variables.region == "r")
        #expect(variables.endpoint?.text == "https://e")
        #expect(profile(["AWS_PROFILE": "none"]).credentials == nil)
    }

    @Test func credentialsAreNeverPrinted() {
        let credentials = S3Credentials(accessKey: "KEY", secretKey: "SECRET", sessionToken: "TOKEN")
        var text = "\(credentials) \(String(reflecting: credentials))"
        dump(credentials, to: &text)
        for secret in ["KEY", "SECRET", "TOKEN"] { #expect(!text.contains(secret)) }
    }

    @Test func withoutCredentialsTheErrorSaysWhereTheyBelong() async throws {
        var configuration = DownloaderConfiguration()
        configuration.s3.environment = ["HOME": folder.url.path]
        let downloader = try Downloader(configuration)
        await #expect(throws: DownloadError.noCredentials(url: "s3://photos/a.jpg", profile: "default")) {
            try await downloader.download(DownloadRequest(url: S3Location("s3://photos/a.jpg").url))
        }
        downloader.shutdown()
    }

    @Test func blanksMayPrecedeADocument() {
        let text = " \r\n\t<?xml version=\"1.0\"?><Error><Code>SlowDown</Code></Error>"
        let document = S3Document(Array(text.utf8))
        #expect(document.root == "Error" && document.first("Code") == "SlowDown")
    }

    @Test func entitiesAreNotFollowed() throws {
        try folder.write("secret", "secret")
        let text = """
            <!DOCTYPE a [<!ENTITY x SYSTEM "file://\(folder.url.path)/secret">]><Error><Code>&x;</Code></Error>
            """
        #expect(S3Document(Array(text.utf8)).first("Code")?.contains("secret") != true)
        let bomb = """
            <!DOCTYPE a [<!ENTITY a "aaaaaaaaaaaaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;"><!ENTITY e "&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;"><!ENTITY f "&e;&e;&e;&e;&e;&e;&e;&e;&e;&e;"><!ENTITY g "&f;&f;&f;&f;&f;&f;&f;&f;&f;&f;">]><Error><Code>&g;</Code></Error>
            """
        #expect(S3Document(Array(bomb.utf8)).elements.allSatisfy { $0.text.utf8.count < 1 << 24 })
    }
}
