import Foundation
import TintypeFiles

/// What signs requests. Never printed.
struct S3Credentials: Equatable, CustomStringConvertible, CustomReflectable {
    let accessKey: String
    let secretKey: String
    /// Of temporary credentials.
    let sessionToken: String?

    var description: String { "credentials" }
    var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Credentials and settings from the variables and files that Amazon's tools read.
///
/// Variables win over files. The files are read anew each time, because other programs renew credentials in them.
///
/// Source: AWS SDKs and Tools Reference Guide, "Shared config and credentials files".
struct S3Profile {
    let name: String
    let credentials: S3Credentials?
    let region: String?
    /// The server's address, and the variable or the key that it comes from.
    let endpoint: (text: String, setting: String)?
    let addressing: S3Configuration.Addressing?

    init(_ environment: [String: String]) {
        func variable(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let home = variable("HOME") ?? NSHomeDirectory()
        name = variable("AWS_PROFILE") ?? variable("AWS_DEFAULT_PROFILE") ?? "default"
        let credentialsFile = IniFile(
            path: variable("AWS_SHARED_CREDENTIALS_FILE") ?? "\(home)/.aws/credentials")
        let configFile = IniFile(path: variable("AWS_CONFIG_FILE") ?? "\(home)/.aws/config")
        // The configuration's sections begin with "profile", except the default one.
        let config = configFile.sections[name == "default" ? name : "profile \(name)"] ?? [:]
        let secrets = credentialsFile.sections[name] ?? config
        if let accessKey = variable("AWS_ACCESS_KEY_ID"), let secretKey = variable("AWS_SECRET_ACCESS_KEY") {
            credentials = S3Credentials(
                accessKey: accessKey, secretKey: secretKey, sessionToken: variable("AWS_SESSION_TOKEN"))
        } else if let accessKey = secrets["aws_access_key_id"],
            let secretKey = secrets["aws_secret_access_key"]
        {
            credentials = S3Credentials(
                accessKey: accessKey, secretKey: secretKey, sessionToken: secrets["aws_session_token"])
        } else {
            credentials = nil
        }
        region = variable("AWS_REGION") ?? variable("AWS_DEFAULT_REGION") ?? config["region"]
        let endpoints: [(text: String?, setting: String)] = [
            (variable("AWS_ENDPOINT_URL_S3"), "AWS_ENDPOINT_URL_S3"),
            (variable("AWS_ENDPOINT_URL"), "AWS_ENDPOINT_URL"),
            (config["s3.endpoint_url"], "s3.endpoint_url of the profile '\(name)'"),
            (config["endpoint_url"], "endpoint_url of the profile '\(name)'"),
        ]
        endpoint = endpoints.compactMap { text, setting in text.map { (text: $0, setting: setting) } }.first
        addressing = config["s3.addressing_style"].flatMap(S3Configuration.Addressing.init)
    }
}

/// A file of sections with settings: `[section]`, `name = value`, and indented settings below a name.
struct IniFile {
    /// Settings by section. An indented setting's name is `outer.inner`.
    private(set) var sections: [String: [String: String]] = [:]

    /// A file that cannot be read is empty.
    init(path: String) {
        let data = FileManager.default.contents(atPath: path) ?? Data()
        self.init(String(decoding: data.withoutByteOrderMark, as: UTF8.self))
    }

    init(_ text: String) {
        var section = "", outer = ""
        for line in text.split(whereSeparator: \.isNewline) {
            let trimmed = line.trimmingCharacters(in: .whitespaces)
            if trimmed.isEmpty || trimmed.hasPrefix("#") || trimmed.hasPrefix(";") { continue }
            if trimmed.hasPrefix("["), let end = trimmed.firstIndex(of: "]") {
                // "[profile  name]" may have several blanks.
                section = trimmed[trimmed.index(after: trimmed.startIndex)..<end]
                    .split(whereSeparator: \.isWhitespace).joined(separator: " ")
                outer = ""
                continue
            }
            guard let equals = trimmed.firstIndex(of: "=") else { continue }
            var name = trimmed[..<equals].trimmingCharacters(in: .whitespaces)
            let value = trimmed[trimmed.index(after: equals)...].trimmingCharacters(in: .whitespaces)
            if line.first?.isWhitespace == true, !outer.isEmpty {
                name = "\(outer).\(name)"
            } else {
                outer = value.isEmpty ? name : ""
            }
            if !value.isEmpty { sections[section, default: [:]][name] = value }
        }
    }
}
