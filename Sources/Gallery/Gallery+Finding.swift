import Foundation
import Tintype

/// Photos that the page looks for.
extension Gallery {
    /// The numbers of the photos that fit, in the order that was asked for.
    func find(_ request: FindRequest) async throws -> [Int] {
        try await threads.runIfActive { [self] in
            let photos = allPhotos
            let among = request.among.map { SaveRequest.items($0, of: photos.count) }
            let found = (among.map(Array.init) ?? Array(photos.indices)).filter { item in
                fits(item, photos[item].name, request)
            }
            return sorted(
                found, of: photos, by: request.order ?? .listed, isDescending: request.isDescending ?? false)
        }
    }

    private func fits(_ item: Int, _ name: String, _ request: FindRequest) -> Bool {
        if let text = request.name, !text.isEmpty, name.range(of: text, options: .caseInsensitive) == nil {
            return false
        }
        guard let state = request.state else { return true }
        guard item < session.records.count else { return false }
        return (session.records[item].snapshot.state == .failed) == (state == .failed)
    }

    /// Photos that are alike stay in the order of the list.
    private func sorted(
        _ items: [Int], of photos: [InputPhoto], by order: FindRequest.Order, isDescending: Bool
    ) -> [Int] {
        func sorted<Key: Comparable>(_ key: (InputPhoto) -> Key) -> [Int] {
            let keyed = items.map { (key: key(photos[$0]), item: $0) }
            let isBefore = { (a: (key: Key, item: Int), b: (key: Key, item: Int)) in
                a.key == b.key ? a.item < b.item : isDescending ? a.key > b.key : a.key < b.key
            }
            return keyed.sorted(by: isBefore).map(\.item)
        }
        return switch order {
        case .listed: isDescending ? items.reversed() : items
        case .name: sorted { $0.name.lowercased() }
        case .size: sorted(\.byteCount)
        // Photos from elsewhere are later than all files.
        case .time: sorted { $0.modified ?? .max }
        }
    }
}
