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
            return "'\(bytes.spelledOut)' is not UTF-8, and Tintype takes only names that are. "
                + "Rename the file or folder, or give the folder above it: its photos with UTF-8 names are then done."
        }
        return nil
    }
}
