import TintypeFiles

/// One of the parts that a manifest's photos are dealt to: `3/24`.
public struct Shard: Hashable, Sendable, CustomStringConvertible {
    /// From 1 to `count`.
    public let number: Int
    public let count: Int

    /// More shards than any scheduler's array has tasks.
    public static let maxCount = 1_000_000

    /// All photos.
    public static let whole = Shard(unchecked: 1, of: 1)

    /// - Returns: nil unless 1 <= `number` <= `count` <= `maxCount`.
    public init?(_ number: Int, of count: Int) {
        guard 1 <= number, number <= count, count <= Self.maxCount else { return nil }
        self.init(unchecked: number, of: count)
    }

    private init(unchecked number: Int, of count: Int) {
        self.number = number
        self.count = count
    }

    /// Parses `3/24`.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let number = parts[0], let count = parts[1] else { return nil }
        self.init(number, of: count)
    }

    public var description: String { "\(number)/\(count)" }

    /// Letters, digits and hyphens only.
    package var label: String { "\(number)-of-\(count)" }
}

/// One run of a shard, which keeps a journal of its own.
public struct ShardRun: Sendable {
    /// Identifies the manifest by its content.
    public let manifest: String
    public let shard: Shard
    /// The temporary files of this run.
    public let temporaries: TemporaryFiles

    /// The journal's name.
    let fileName = ShardJournal.newName()

    /// - Parameters:
    ///   - manifest: hexadecimal digits that identify it by its content.
    ///   - temporaries: those of the run, made for this shard.
    public init(of shard: Shard, manifest: String, temporaries: TemporaryFiles) {
        self.manifest = manifest
        self.shard = shard
        self.temporaries = temporaries
    }

    /// The folder of the shard's journals.
    func folder(in outputFolder: String) -> String {
        ShardFolder.parent(in: outputFolder).appendingPathComponent("\(manifest)-\(shard.label)")
    }
}
