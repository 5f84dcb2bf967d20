import Foundation
import SystemPackage
import TintypeCodecs
import TintypeDownload
import TintypeFiles
import TintypeImaging
import TintypeJournals
import TintypeLists
import TintypePhotos

/// Finds the photos of inputs.
///
/// A file given by name is always tried. A folder is searched recursively, in the order of names, for regular
/// files that look like photos by their first bytes or extension. Hidden names are skipped, and so are
/// Tintype's own outputs: files that a journal below the folder lists, and files named like the output of a
/// photo beside them. So are RAW photos beside a photo of the same name, and files that another program has not
/// finished, as their names say. Symbolic links to files are followed. Links to folders are followed if given by
/// name, or if asked for; those that lead back are not.
public struct InputCollector {
    /// Inputs, entries of lists, and files and folders inside of inputs that cannot be used.
    public private(set) var failures: [InputFailure] = []
    /// Files in folders that are not among the photos.
    public internal(set) var passedOver = PassedOver()

    /// The photos in the order found, in pieces: one array of a million photos would be copied whenever it
    /// grows, and stay in memory until the last photo has become a job.
    private var pieces: [[InputPhoto]] = []
    private static let pieceLength = 1024

    /// Takes each piece as soon as it is full; nil keeps them. `flush` gives it the rest.
    private let taker: (([InputPhoto]) -> Void)?

    /// Addresses and list entries. They get their names once all of them are known.
    private var entries: [ListEntry] = []
    private var names = UniqueNames()

    let downloads: DownloaderConfiguration
    let skippedFolder: FileIdentity?
    let globs: PathGlobs
    let followsLinks: Bool

    /// - Parameters:
    ///   - outputFolder: skipped if it lies inside an input folder.
    ///   - globs: select the files of folders.
    ///   - followsLinks: whether folders that symbolic links lead to are searched.
    ///   - downloads: how buckets are listed.
    public init(
        outputFolder: String?, globs: PathGlobs = PathGlobs(), followsLinks: Bool = false,
        downloads: DownloaderConfiguration = DownloaderConfiguration()
    ) {
        self.init(
            outputFolder: outputFolder, globs: globs, followsLinks: followsLinks, downloads: downloads,
            taker: nil)
    }

    /// - Parameter url: of a folder, skipped if it lies inside an input folder.
    /// - Precondition: `url` is a file's.
    public init(
        outputFolder url: URL, globs: PathGlobs = PathGlobs(), followsLinks: Bool = false,
        downloads: DownloaderConfiguration = DownloaderConfiguration()
    ) {
        self.init(
            outputFolder: url.requiredFilePath, globs: globs, followsLinks: followsLinks,
            downloads: downloads)
    }

    /// - Parameter taker: takes the photos in pieces, so that they need not fit in memory together.
    package init(
        outputFolder: String?, globs: PathGlobs, followsLinks: Bool, downloads: DownloaderConfiguration,
        taker: (([InputPhoto]) -> Void)?
    ) {
        self.followsLinks = followsLinks
        self.downloads = downloads
        skippedFolder = outputFolder.flatMap(FileIdentity.init(path:))
        self.globs = globs
        self.taker = taker
    }

    /// Gives the taker what it has not got yet.
    package mutating func flush() {
        guard let taker else { return }
        pieces.forEach(taker)
        pieces = []
    }

    /// The photos in the order found, until `takePieces` removes them.
    public var photos: [InputPhoto] { Array(pieces.joined()) }
    /// The number of `photos`.
    public var photoCount: Int { pieces.reduce(0) { $0 + $1.count } }

    /// Removes and returns the photos, in order and in pieces.
    public mutating func takePieces() -> AnyIterator<[InputPhoto]> {
        var rest = Array(pieces.reversed())
        pieces = []
        return AnyIterator { rest.popLast() }
    }

    mutating func append(_ photo: InputPhoto) {
        if pieces.last?.count ?? Self.pieceLength == Self.pieceLength {
            flush()
            pieces.append([])
            pieces[pieces.count - 1].reserveCapacity(Self.pieceLength)
        }
        pieces[pieces.count - 1].append(photo)
    }

    /// Finds the photos of these inputs. What cannot be used becomes a failure. Addresses become photos in
    /// `nameEntries`.
    public mutating func collect(_ inputs: [Input]) {
        for input in inputs {
            switch input {
            case .standardInput: addStandardInput()
            case .path(let path): addNamed(path)
            case .address(let url): entries.append(ListEntry(name: nil, location: .url(url)))
            case .objects(let location): addObjects(location)
            }
        }
    }

    /// Adds all entries of a list. An entry that cannot be used becomes a failure.
    public mutating func collect(_ list: PhotoList, named name: String) {
        forEachEntry(of: list, named: name) { $0.entries.append($1) }
    }

    /// - Parameter name: of the list, for its failures; nil passes over what cannot be used.
    private mutating func forEachEntry(
        of list: PhotoList, named name: String?, _ body: (inout InputCollector, ListEntry) -> Void
    ) {
        while true {
            do throws(ListError) {
                guard let entry = try list.next() else { return }
                body(&self, entry)
            } catch {
                let endsList = error.endsList
                var error = error
                error.list = nil  // the failure's path says it
                if let name { fail(name, .list(error)) }
                if endsList { return }
            }
        }
    }

    /// Turns addresses and list entries into photos with safe, unique names. Call it once, at the end.
    public mutating func nameEntries() {
        entries.forEach { names.add($0) }
        for entry in entries { add(entry) }
        entries = []
    }

    /// Learns the names in a list, which is read again by `collectAgain` after `nameEntries`. So its entries need not
    /// fit in memory.
    package mutating func learnNames(in list: PhotoList) {
        forEachEntry(of: list, named: nil) { $0.names.add($1) }
    }

    /// Adds all entries of a list whose names are known. An entry that cannot be used becomes a failure.
    package mutating func collectAgain(_ list: PhotoList, named name: String) {
        forEachEntry(of: list, named: name) { $0.add($1) }
    }

    private mutating func add(_ entry: ListEntry) {
        let name = names.name(for: entry)
        switch entry.location {
        case .file(let path): addFile(path, folder: "", name: name, isNamed: true)
        case .url(let url): append(InputPhoto(address: url, folder: "", name: name))
        }
    }

    private mutating func addNamed(_ path: String) {
        do throws(Errno) {
            if try Stat(path).isFolder {
                addFolder(Folder(path: path))
            } else {
                addFile(path, folder: "", isNamed: true)
            }
        } catch {
            fail(path, .cannotRead(error))
        }
    }

    private mutating func addStandardInput() {
        do {
            let spool = try SpoolFile(copying: OpenFile(duplicating: STDIN_FILENO))
            try add(.spooled(spool), folder: "", name: "stdin", opened: spool.file, isNamed: true)
        } catch SpoolFile.CopyError.storage(let error) {
            fail("-", .temporaryFile(folder: NSTemporaryDirectory(), error))
        } catch SpoolFile.CopyError.source(let error) {
            fail("-", .cannotRead(error))
        } catch {
            fail("-", PhotoError(error, path: "-"))
        }
    }

    mutating func addFile(
        _ path: String, folder: String, name: String? = nil, isNamed: Bool
    ) {
        do throws(Errno) {
            try add(
                .file(path: path), folder: folder, name: name ?? path.lastPathComponent,
                opened: OpenFile(reading: path), isNamed: isNamed)
        } catch {
            // An unreadable file in a folder is a failure only if its name is a photo's.
            if isNamed || FileName(path.lastPathComponent).looksLikePhoto {
                fail(path, .cannotRead(error))
            } else {
                passedOver.add(FileName(path.lastPathComponent))
            }
        }
    }

    private mutating func add(
        _ location: InputPhoto.Location, folder: String, name: String,
        opened file: borrowing OpenFile, isNamed: Bool
    ) throws(Errno) {
        let status = try file.status()
        let isExpected = isNamed || FileName(name).looksLikePhoto
        let path = location.path
        guard status.isRegularFile else {
            if isExpected { fail(path, .notARegularFile) }
            return
        }
        guard let format = PhotoFormat.detect(try file.firstBytes(PhotoFormat.detectionByteCount)) else {
            if isExpected {
                fail(path, Self.whyNotAPhoto(file))
            } else {
                passedOver.add(FileName(name))
            }
            return
        }
        guard isNamed || !PassedOver.isUnreadRAW(FileName(name), format) else {
            passedOver.add(FileName(name))
            return
        }
        append(
            InputPhoto(
                location, folder: folder, name: name, format: format,
                byteCount: status.byteCount, identity: .file(FileIdentity(status))))
    }

    /// The decoder's error for a file that is not a photo.
    private static func whyNotAPhoto(_ file: borrowing OpenFile) -> PhotoError {
        do {
            _ = try PhotoReader(fileDescriptor: file.number, limits: DecodeLimits())
            return .inputChanged
        } catch {
            return PhotoError(error, path: "")
        }
    }

    mutating func fail(_ path: String, _ error: PhotoError) {
        failures.append(InputFailure(path: path, error: error))
    }
}
