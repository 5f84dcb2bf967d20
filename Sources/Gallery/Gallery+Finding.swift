import Foundation
import Tintype

/// Photos that the page looks for.
extension Gallery {
    /// The numbers of the photos that fit, in the order that was asked for.
    func find(_ request: FindRequest) async throws -> [Int] {
        if let stars = request.stars, !(0...Stars.most ~= stars) { throw GalleryError.noSuchStars(stars) }
        let found = try await threads.runIfActive { [self] in
            let photos = allPhotos
            let among = request.among.map { SaveRequest.items($0, of: photos.count) }
            return (among.map(Array.init) ?? Array(photos.indices)).filter { item in
                fits(item, photos[item].name, request)
            }
        }
        let usesStars = request.stars != nil || request.order == .stars
        if usesStars { try await readStars(ofAll: found) }
        return try await threads.runIfActive { [self] in
            sorted(
                request.stars.map { least in found.filter { hasStars($0, least) } } ?? found, of: allPhotos,
                by: request.order ?? .listed, isDescending: request.isDescending ?? false)
        }
    }

    private func hasStars(_ item: Int, _ least: Int) -> Bool {
        // Those of an address that has not arrived are not known, which is not none.
        guard let stars = stars[item] else { return false }
        return least == 0 ? stars == 0 : stars >= least
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
        func sorted<Key: Comparable>(_ key: (Int) -> Key) -> [Int] {
            let keyed = items.map { (key: key($0), item: $0) }
            let isBefore = { (a: (key: Key, item: Int), b: (key: Key, item: Int)) in
                a.key == b.key ? a.item < b.item : isDescending ? a.key > b.key : a.key < b.key
            }
            return keyed.sorted(by: isBefore).map(\.item)
        }
        return switch order {
        case .listed: isDescending ? items.reversed() : items
        case .name: sorted { photos[$0].name.lowercased() }
        case .size: sorted { photos[$0].byteCount }
        // Photos from elsewhere are later than all files.
        case .time: sorted { photos[$0].modified ?? .max }
        case .stars: sorted { stars[$0] ?? 0 }
        }
    }
}
