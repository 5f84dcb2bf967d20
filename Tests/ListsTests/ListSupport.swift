import Foundation
import Tintype

@testable import Lists

/// The parts of an entry that tests compare.
struct Named: Hashable, CustomStringConvertible {
    let name: String?
    let place: String

    init(_ name: String?, _ place: String) {
        self.name = name
        self.place = place
    }

    init(_ entry: ListEntry) { self.init(entry.name, entry.location.text) }

    var description: String { "\(name ?? "-")=\(place)" }
}

extension PhotoList {
    /// A list in memory; its relative entries are in `lists/`.
    convenience init(_ text: String, origin: ListOrigin = .folder("lists/")) {
        self.init(bytes: Array(text.utf8), origin: origin, name: "list")
    }

    /// Every entry, and every error by its line, up to the one that ends the list.
    func readAll() -> (entries: [Named], errors: [ListError]) {
        var entries: [Named] = []
        var errors: [ListError] = []
        while true {
            do throws(ListError) {
                guard let entry = try next() else { return (entries, errors) }
                entries.append(Named(entry))
            } catch {
                errors.append(error)
                if error.endsList { return (entries, errors) }
            }
        }
    }
}
