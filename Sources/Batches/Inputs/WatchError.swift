import Foundation
import SystemPackage
import TintypeFiles

/// A folder that cannot be watched.
public struct WatchError: Error, Equatable, Sendable {
    public let folder: String
    public let reason: Errno
}

extension WatchError: LocalizedError, CustomStringConvertible {
    public var errorDescription: String? { description }

    public var description: String {
        let remedy =
            switch reason {
            case .noSpace:
                " The system watches no more folders: raise fs.inotify.max_user_watches with sysctl."
            case .tooManyOpenFiles:
                " Too many programs watch folders: raise fs.inotify.max_user_instances with sysctl."
            default: ""
            }
        return "'\(folder.printableName)' cannot be watched: \(reason).\(remedy)"
    }
}
