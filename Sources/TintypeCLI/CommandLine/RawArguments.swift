import Foundation
import Tintype

/// The command line's bytes, before Swift makes text of them.
enum RawArguments {
    /// Why the arguments cannot be used; nil where all are UTF-8. Text with replaced bytes would name other
    /// files, and write to other folders.
    static var complaint: String? {
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let start = CommandLine.unsafeArgv[index] else { continue }
            let bytes = UnsafeRawBufferPointer(start: start, count: strlen(start))
            guard String(validating: bytes, as: UTF8.self) == nil else { continue }
            return "'\(bytes.spelledOut.excerpt())' is not UTF-8, and Tintype takes only names that are. "
                + "Rename the file or folder, or give the folder above it: its photos with UTF-8 names are then done."
        }
        return nil
    }

    /// Overwrites passwords and tokens in addresses, so that the list of processes shows them only for the moment before.
    /// `CommandLine.arguments`, read before, keeps them.
    static func hideSecrets() {
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let start = CommandLine.unsafeArgv[index] else { continue }
            let text = String(cString: start), shown = redacting(text)
            guard shown != text else { continue }
            let count = strlen(start)
            let bytes = Array(shown.utf8.prefix(count))
            memset(start, 0, count)
            memcpy(start, bytes, bytes.count)
        }
    }

    /// An argument as it may be shown; an address may follow a flag, as in `--output=s3://photos/out`.
    static func redacting(_ argument: String) -> String {
        guard let mark = argument.range(of: "://") else { return argument }
        let scheme = argument[..<mark.lowerBound].reversed().prefix { $0.isLetter || $0.isNumber }
        let start = argument.index(mark.lowerBound, offsetBy: -scheme.count)
        let address = String(argument[start...])
        return argument[..<start] + WebAddress.redacting(address)
    }
}
