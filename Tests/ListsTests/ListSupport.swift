import Foundation
import Tintype

@testable import TintypeLists

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

/// Binary property lists, byte by byte: Foundation cannot write names that only look alike.
enum BinaryList {
    /// - Parameter objects: without references above 255; the first is the outermost.
    static func file(_ objects: [[UInt8]], referenceByteCount: UInt8 = 1) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets += bigEndian(bytes.count, 4)
            bytes += object
        }
        let table = bytes.count
        return bytes + offsets + [0, 0, 0, 0, 0, 0, 4, referenceByteCount] + bigEndian(objects.count, 8)
            + bigEndian(0, 8) + bigEndian(table, 8)
    }

    static func dictionary(_ names: [String], _ values: [String]) -> [UInt8] {
        let count = names.count
        return file([[0xD0 | UInt8(count)] + (1...UInt8(2 * count))] + (names + values).map(text))
    }

    static func array(of text: String, count: Int) -> [UInt8] {
        let references = [UInt8](repeating: 1, count: count)
        return file([[0xAF, 0x12] + bigEndian(count, 4) + references, self.text(text)])
    }

    private static func text(_ text: String) -> [UInt8] {
        let units = Array(text.utf16)
        guard text.utf8.count != units.count else {
            return [0x5F, 0x12] + bigEndian(units.count, 4) + text.utf8
        }
        return [0x6F, 0x12] + bigEndian(units.count, 4) + units.flatMap { bigEndian(Int($0), 2) }
    }

    private static func bigEndian(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(number >> (8 * $0) & 0xFF) }
    }
}
