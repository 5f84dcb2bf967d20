import Foundation
import Logging
import Tintype
import TintypeGallery
import TintypeLocking

/// One run of `tintype gallery`: serves the page until it is interrupted.
struct GalleryRun {
    let command: GalleryCommand
    let chain: FilterChain
    private let fileFolder: String
    private let terminal = Terminal()

    /// - Parameter fileFolder: where relative paths of the chain's files begin; an empty one is the current folder.
    init(_ command: GalleryCommand, _ chain: FilterChain, readingFilesIn fileFolder: String) {
        self.command = command
        self.chain = chain
        self.fileFolder = fileFolder
    }

    /// - Returns: the process's exit code.
    func run() throws -> Int32 {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        let level: Logger.Level = command.verbose ? .debug : .warning
        LoggingSystem.bootstrap { [terminal] _ in TerminalLogHandler(terminal, level: level) }
        let temporaries = TemporaryFiles()
        let interruption = Interruption(temporaries: temporaries)
        let sources = try command.photoSources()
        let downloader: PhotoDownloader?
        let gallery: Gallery
        do {
            downloader = try sources.mayHaveAddresses ? command.sources.makeDownloader() : nil
            var settings = settings(downloader)
            settings.key = try command.sources.decryptionKey()
            settings.temporaries = temporaries
            gallery = try Gallery(settings, on: .main)
        } catch {
            terminal.print("\(error)", .failure)
            return ExitStatus(startError: error).rawValue
        }
        defer { downloader?.shutdown() }

        let ending = Ending()
        interruption.onSignal { ending.end(0) }
        Task.detached {
            do {
                let server = try await GalleryServer(gallery, port: command.port ?? 0)
                if let host = command.remoteHost {
                    let tunnel = "\(server.port):127.0.0.1:\(server.port)"
                    terminal.print(
                        "On the machine with the browser: ssh -N -L \(tunnel) \(host.shellQuoted), then open this address:"
                    )
                }
                try StandardStream.writeResult(server.address + "\n")
                if command.open { Self.openBrowser(server.address) }
                ending.onEnd {
                    await server.stop()
                    await gallery.end()
                }
            } catch {
                let port = command.port.map { "port \($0)" } ?? "any port"
                terminal.print("The gallery cannot use \(port): \(error)", .failure)
                ending.end(ExitStatus.usage.rawValue)
            }
        }
        // Listing a large folder or downloading a list takes a while; the page shows what there is.
        DispatchQueue.global().async {
            do {
                if let status = try collect(sources, downloader, into: gallery) {
                    ending.end(status.rawValue)
                }
            } catch {
                terminal.print("\(error)", .failure)
                ending.end(ExitStatus(startError: error).rawValue)
            }
        }
        return ending.wait()
    }

    private func settings(_ downloader: PhotoDownloader?) -> Gallery.Settings {
        var settings = Gallery.Settings(title: title, chain: chain, drivers: DriverProcessCommand.host())
        settings.fileFolder = fileFolder
        settings.device = command.device
        settings.order = command.order == .barrier ? .barrier : .perPhoto
        settings.isSlow = command.slow
        settings.saveFolders = saveFolders
        settings.preferencesPath = SettingsFile.folder(ProcessInfo.processInfo.environment)?
            .appendingPathComponent("gallery.json")
        settings.starsPath = StateFolder.path(ProcessInfo.processInfo.environment)?
            .appendingPathComponent("stars.json")
        settings.overwrites = command.overwrite
        settings.downloader = downloader
        settings.inputArguments =
            (command.kernels.arguments + command.files.arguments + command.sources.arguments
            + command.lists.flatMap { ["--files-from", $0] } + command.photos)
            .map(UsageHint.shown)
        settings.logger = Logger(label: "tintype")
        return settings
    }

    /// That of -o, and one below each folder of photos.
    private var saveFolders: [String] {
        let below = command.photos.filter(isFolder).map { $0.appendingPathComponent("filtered") }
        let all = (command.output.map { [$0.trimmingTrailingSlashes] } ?? []) + below
        return all.isEmpty ? ["filtered"] : all
    }

    private var title: String {
        let names = (command.inputs + command.sources.filesFrom).map { UsageHint.shown($0).printableName }
        return names.count == 1 ? names[0] : "\(names[0]) and \(names.count - 1) more"
    }

    /// - Returns: why the gallery ends: there is no photo, and none can follow.
    private func collect(
        _ sources: PhotoSources, _ downloader: PhotoDownloader?, into gallery: Gallery
    ) throws -> ExitStatus? {
        let collector = try sources.collect(through: downloader)
        for failure in collector.failures {
            terminal.print("\(failure.path): \(failure.error)", .failure)
        }
        guard collector.photoCount > 0 else {
            terminal.print("There are no photos in \(title). Tintype reads \(PhotoFormat.names("and")).")
            for line in collector.passedOver.reasons(sources.globs) { terminal.print(line) }
            let kinds = Set(collector.failures.map(\.error.kind))
            return kinds.isEmpty ? .noInputs : ExitStatus(failures: kinds)
        }
        if let summary = collector.passedOver.summary { terminal.print(summary) }
        gallery.append(collector.photos)
        gallery.offer(
            filterFiles: FilterFileSearch.paths(
                below: command.photos.filter(isFolder), isRelativeTo: fileFolder))
        return nil
    }

    private static func openBrowser(_ address: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["xdg-open", address]
        try? process.run()
    }
}

/// The end of a run, which a signal or an error asks for.
private final class Ending: Sendable {
    private struct State {
        var exitCode: Int32?
        var body: (@Sendable () async -> Void)?
        var isDone = false
    }

    private let state = Locked(State())

    func end(_ exitCode: Int32) {
        state.withLock { $0.exitCode = $0.exitCode ?? exitCode }
        OperationQueue.main.addOperation {}  // wakes the run loop
    }

    func onEnd(_ body: @escaping @Sendable () async -> Void) { state.withLock { $0.body = body } }

    /// Serves the main queue until the end, then runs the last steps.
    func wait() -> Int32 {
        while state.withLock({ $0.exitCode }) == nil, RunLoop.main.run(mode: .default, before: .distantFuture)
        {}
        if let body = state.withLock({ $0.body }) {
            Task.detached { [self] in
                await body()
                state.withLock { $0.isDone = true }
                OperationQueue.main.addOperation {}
            }
            while !state.withLock({ $0.isDone }), RunLoop.main.run(mode: .default, before: .distantFuture) {}
        }
        return state.withLock { $0.exitCode } ?? 0
    }
}
