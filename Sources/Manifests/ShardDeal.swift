import TintypeFiles
import TintypeJournals

/// Which photos of a manifest each shard gets.
///
/// Photos are sorted by size, those of equal size by the hash of their names, and dealt forth and back: 1, 2, 3, 3, 2,
/// 1, 1, ... So shards have equal numbers of photos and nearly equal numbers of bytes, and every machine computes the
/// same without a word to the others. Photos without a known size are dealt by their hashes alone.
public struct ShardDeal: Sendable {
    public let shardCount: Int
    /// The shard of each photo, from 0.
    private let shards: [UInt32]

    /// - Throws: `ManifestError`.
    public init(_ manifest: Manifest, among shardCount: Int) throws(ManifestError) {
        self.shardCount = shardCount
        guard shardCount > 1 else {
            shards = []
            return
        }
        var keys: [(byteCount: Int, hash: UInt64, index: UInt32)] = []
        keys.reserveCapacity(manifest.photoCount)
        try manifest.forEachPhoto { photo, index throws(ManifestError) in
            keys.append((photo.byteCount ?? 0, ContentHash.number(of: photo.input), UInt32(index)))
        }
        keys.sort { ($1.byteCount, $0.hash, $0.index) < ($0.byteCount, $1.hash, $1.index) }
        var shards = [UInt32](repeating: 0, count: keys.count)
        for (place, key) in keys.enumerated() {
            let (round, seat) = place.quotientAndRemainder(dividingBy: shardCount)
            shards[Int(key.index)] = UInt32(round % 2 == 0 ? seat : shardCount - 1 - seat)
        }
        self.shards = shards
    }

    /// Whether a shard has the photo at an index of the manifest.
    public func has(_ shard: Shard, photo index: Int) -> Bool {
        shards.isEmpty ? shard.number == 1 : shards[index] == UInt32(shard.number - 1)
    }
}
