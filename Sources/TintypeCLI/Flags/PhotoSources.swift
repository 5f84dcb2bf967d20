import ArgumentParser
import Foundation
import Tintype

/// Where a command's photos come from: files, folders, addresses, and lists of them.
struct PhotoSources {
    let inputs: [Input]
    let lists: [Input]
    let flags: SourceFlags
    let globs: PathGlobs
    /// Whether folders that symbolic links lead to are searched.
    var followsLinks = false
    /// Skipped if it lies inside an input folder.
    let outputFolder: String?
    /// Whether relative entries of a list have its address's user name and password. A manifest cannot have them.
    var lendsCredentials = true

    /// Lists, which are not read yet, may name addresses.
    var mayHaveAddresses: Bool { !lists.isEmpty || inputs.contains(where: \.isAddress) }

    /// Finds the photos.
    ///
    /// - Parameter downloader: needed if any list has an address.
    func collect(through downloader: PhotoDownloader?) throws -> InputCollector {
        var collector = InputCollector(
            outputFolder: outputFolder, globs: globs, followsLinks: followsLinks,
            downloads: flags.downloaderConfiguration)
        collector.collect(inputs)
        try collectLists(into: &collector, through: downloader)
        collector.nameEntries()
        return collector
    }

    /// Reads the lists.
    func collectLists(into collector: inout InputCollector, through downloader: PhotoDownloader?) throws {
        for list in lists {
            switch list {
            case .standardInput: collector.collect(try PhotoList(path: "-"), named: "standard input")
            case .path(let path): collector.collect(try PhotoList(path: path), named: path)
            case .objects(let location):
                try collectList(at: location.url, into: &collector, through: downloader)
            case .address(let url): try collectList(at: url, into: &collector, through: downloader)
            }
        }
    }

    private func collectList(
        at url: URL, into collector: inout InputCollector, through downloader: PhotoDownloader?
    ) throws {
        guard let downloader else { return }
        let name = PhotoRecord(url: url).name
        let list = try downloader.listWaiting(at: url, name: name, lendsCredentials: lendsCredentials)
        collector.collect(list, named: name)
    }
}

extension SourceFlags {
    func makeDownloader() throws -> PhotoDownloader { try PhotoDownloader(downloaderConfiguration) }

    var downloaderConfiguration: DownloaderConfiguration {
        var configuration = network.configuration
        if let maxDownload { configuration.byteLimit = maxDownload.byteCount }
        return configuration
    }

    /// - Throws: `DecryptionError`.
    func decryptionKey() throws -> DecryptionKey? { try key.map { try DecryptionKey(file: $0) } }
}

extension Input {
    /// The inputs that arguments name.
    ///
    /// - Throws: `ValidationError`.
    static func parse(_ texts: [String]) throws -> [Input] {
        do {
            return try texts.map(Input.init)
        } catch {
            throw ValidationError(error.description)
        }
    }

    var isAddress: Bool {
        switch self {
        case .address, .objects: true
        case .path, .standardInput: false
        }
    }
}
