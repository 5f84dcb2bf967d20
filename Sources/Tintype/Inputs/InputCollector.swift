import Codecs
import Foundation

/// Finds the photos that inputs stand for.
///
/// Files that are named are always tried. Of a folder, and the folders below it, come the regular files that
/// look like photos by their first bytes or by their extension, sorted by name. Hidden names are passed over.
/// Symbolic links to files are followed; links to folders only where they are named, so that no walk goes in
/// circles.
package struct InputCollector {
    package private(set) var failures: [InputFailure] = []

    /// In the order in which they were found. In pieces: one array of a million photos would be copied whenever it
    /// grows, and stay in memory as a whole until the last of them has become a job.
    private var pieces: [[InputPhoto]] = []
    private static let pieceLength = 1024

    /// Addresses, and what lists name: they get their names when all of them are known.
    private var entries: [ListEntry] = []

    private let skippedFolder: FileIdentity?

    /// - Parameter outputFolder: not searched where it lies inside an input folder.
    package init(outputFolder: String?) {
        skippedFolder = outputFolder.flatMap(FileIdentity.init(path:))
    }

    package var photos: [InputPhoto] { Array(pieces.joined()) }
    package var photoCount: Int { pieces.reduce(0) { $0 + $1.count } }

    /// Hands the photos over, in pieces and in order; none are left.
    package mutating func takePieces() -> AnyIterator<[InputPhoto]> {
        var rest = Array(pieces.reversed())
        pieces = []
        return AnyIterator { rest.popLast() }
    }

    private mutating func append(_ photo: InputPhoto) {
        if pieces.last?.count ?? Self.pieceLength == Self.pieceLength {
            pieces.append([])
            pieces[pieces.count - 1].reserveCapacity(Self.pieceLength)
        }
        pieces[pieces.count - 1].append(photo)
    }

    package mutating func collect(_ inputs: [Input]) {
        for input in inputs {
            switch input {
            case .standardInput: addStandardInput()
            case .path(let path): addNamed(path)
            case .address(let url): entries.append(ListEntry(name: nil, location: .url(url)))
            }
        }
    }

    /// Takes all that a list names. What it misses or misspells is a failure of its own.
    package mutating func collect(_ list: PhotoList, named name: String) {
        while true {
            do throws(ListError) {
                guard let entry = try list.next() else { return }
                entries.append(entry)
            } catch {
                let endsList = error.endsList
                var error = error
                error.list = nil  // the failure's path says it
                fail(name, .list(error))
                if endsList { return }
            }
        }
    }

    /// Makes photos of addresses and lists, under names that are plain and differ. Call it once, at the end.
    package mutating func nameEntries() {
        var names = UniqueNames()
        entries.forEach { names.add($0) }
        for entry in entries {
            let name = names.name(for: entry)
            switch entry.location {
            case .file(let path): addFile(path, folder: "", name: name, isNamed: true)
            case .url(let url):
                append(
                    InputPhoto(
                        .address(url), folder: "", name: name,
                        format: FileName(name).format ?? .jpeg,
                        byteCount: 0, identity: .address(url)))
            }
        }
        entries = []
    }

    private mutating func addNamed(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            return fail(path, .cannotRead(reason: SystemError(call: "stat").description))
        }
        if status.isFolder {
            addFolder(path, below: "")
        } else {
            addFile(path, folder: "", isNamed: true)
        }
    }

    private mutating func addStandardInput() {
        do throws(SystemError) {
            let spooled = try SpooledInput(copying: STDIN_FILENO)
            try add(.spooled(spooled), folder: "", name: "stdin", opened: spooled.descriptor, isNamed: true)
        } catch {
            fail("-", .cannotRead(reason: error.description))
        }
    }

    private mutating func addFolder(_ path: String, below: String) {
        let entries: [FolderEntry]
        do throws(SystemError) {
            entries = try FolderEntry.list(path)
        } catch {
            return fail(path, .cannotRead(reason: error.description))
        }
        for entry in entries where !entry.isHidden {
            let entryPath = path.appendingPathComponent(entry.name)
            guard entry.isUTF8 else {
                fail(entryPath, .nameIsNotUTF8)
                continue
            }
            switch entry.kind {
            case .folder:
                if skippedFolder != nil, FileIdentity(path: entryPath) == skippedFolder { continue }
                addFolder(entryPath, below: below.appendingPathComponent(entry.name))
            case .file: addFile(entryPath, folder: below, isNamed: false)
            case .other: continue
            }
        }
    }

    private mutating func addFile(
        _ path: String, folder: String, name: String? = nil, isNamed: Bool
    ) {
        do throws(SystemError) {
            let descriptor = try Descriptor(reading: path)
            try add(
                .file(path: path), folder: folder, name: name ?? path.lastPathComponent, opened: descriptor,
                isNamed: isNamed)
        } catch {
            // A folder's unreadable file is the user's concern only where it is a photo.
            if isNamed || FileName(path.lastPathComponent).looksLikePhoto {
                fail(path, .cannotRead(reason: error.description))
            }
        }
    }

    private mutating func add(
        _ location: InputPhoto.Location, folder: String, name: String,
        opened descriptor: borrowing Descriptor,
        isNamed: Bool
    ) throws(SystemError) {
        let status = try descriptor.status()
        let isExpected = isNamed || FileName(name).looksLikePhoto
        let path = location.path
        guard status.isRegularFile else {
            if isExpected { fail(path, .notARegularFile) }
            return
        }
        guard let format = PhotoFormat.detect(try descriptor.firstBytes(16)) else {
            if isExpected { fail(path, Self.whyNotAPhoto(descriptor)) }
            return
        }
        append(
            InputPhoto(
                location, folder: folder, name: name, format: format,
                byteCount: Int(status.st_size),
                identity: .file(FileIdentity(status))))
    }

    /// The decoder's own words for a file that is none of its.
    private static func whyNotAPhoto(_ descriptor: borrowing Descriptor) -> PhotoError {
        do {
            _ = try PhotoReader(fileDescriptor: descriptor.number, limits: DecodeLimits())
            return .other("The file has changed while it was read. Run again.")
        } catch {
            return PhotoError(error, path: "")
        }
    }

    private mutating func fail(_ path: String, _ error: PhotoError) {
        failures.append(InputFailure(path: path, error: error))
    }
}
