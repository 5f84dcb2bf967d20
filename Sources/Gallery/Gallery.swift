import Foundation
import Logging
import NIOPosix
import Tintype
import TintypeLocking
import TintypeDevices
import TintypeSessions

/// The photos that a page shows, and the session that downloads and filters them.
///
/// It is the session's view: a reload becomes one of `changes`, of which the page learns.
// @unchecked: the variables are used on the serial main queue only, or are Locked.
package final class Gallery: ReloadTarget, @unchecked Sendable {
    /// What a gallery shows, and how.
    package struct Settings: Sendable {
        package var title: String
        package var chain: FilterChain
        /// Where relative paths of the chain's files begin: the folder of its recipe. An empty one is the current folder.
        package var fileFolder = ""
        /// An argument of `--device`.
        package var device = "auto"
        /// Finds and tests the devices of such an argument for a chain.
        package var makeDevices: @Sendable (_ device: String, FilterChain) throws -> DevicePool
        /// The process that loads OpenCL's drivers.
        let drivers: DriverHost
        package var order = PhotoSession.Order.perPhoto
        /// Whether each operation waits up to two seconds before it begins.
        package var isSlow = false
        /// The folders that photos can be saved in, at least one. The page proposes the first.
        package var saveFolders = ["filtered"]
        /// Whether the page proposes to replace outputs that exist.
        package var overwrites = false
        /// The file in which the page's preferences are kept; nil forgets them at the end.
        package var preferencesPath: String?
        /// The file in which stars that users give are kept; nil forgets them at the end.
        package var starsPath: String?
        package var downloader: PhotoDownloader?
        /// Decrypts what is downloaded; nil takes it as it is.
        package var key: DecryptionKey?
        package var limits = DecodeLimits()
        /// Registers outputs until they have their names.
        package var temporaries = TemporaryFiles()
        package var logger = Logger(label: "tintype")
        /// The arguments that name the photos in the command that the page shows.
        package var inputArguments: [String] = []

        package init(title: String, chain: FilterChain, drivers: DriverHost = .thisProcess) {
            self.title = title
            self.chain = chain
            self.drivers = drivers
            makeDevices = { try DeviceRoster([$0], for: $1, drivers: drivers).pool }
        }
    }

    /// Photos that one page may call visible: those of a large screen, and as many above and below.
    static let visibleLimit = 1000

    /// What a picture of a photo shows.
    enum Picture: String {
        case thumbnail, before, after
    }

    /// Another one in every run. Versions begin anew in each, and browsers keep pictures for longer.
    package let run = String(UInt64.random(in: .min ... .max), radix: 36)
    let changes = ChangeLog()
    let settings: Settings
    private struct ThumbnailKey: Hashable {
        let item: Int
        let version: Int
    }

    /// About 1,000 thumbnails, more than a large screen shows. Browsers keep them as well.
    private let thumbnails = LeastUsedCache<ThumbnailKey, PictureData>(byteLimit: 16 << 20) { $0.byteCount }
    let looks: Looks
    let preferences: Preferences
    let stars = Stars()
    let starFile: StarFile
    /// Threads that decode thumbnails, read photos and test devices.
    let threads = NIOThreadPool(numberOfThreads: AvailableMachine.current.processorCount)
    private let photos = Locked<[InputPhoto]>([])
    /// Files that the page offers for filters.
    let filterFiles: Locked<[GalleryMessage.FileMessage]>
    /// Whether stars are being written to XMP.
    let isWritingStars = Locked(false)
    let uploads = Uploads()
    let recipe: Locked<GalleryRecipe>
    /// Held while the recipe changes, so that all parts change together when two pages ask at once.
    let recipeChange = Locked(())
    let work = Locked(Work())
    private let progress = PixelCounter()
    /// Half of the memory, for photos and thumbnails at work.
    private let memory = MemoryBudget(
        byteCount: (try? AvailableMachine.current.photoByteCount(withDrivers: true))
            ?? MemoryBudget.leastByteCount)
    /// The last run that saves photos; nil before the first.
    let saving = Locked<SaveRun?>(nil)
    /// Set once, in `init`.
    var session: PhotoSession!
    /// Ticks four times a second.
    private let clock: any DispatchSourceTimer

    /// What the session does.
    struct Work {
        /// Photos with an operation in progress.
        var busy: Set<Int> = []
        var views = PageViews()
        var isSuspended = false
        /// When the page has last asked for looks.
        var lastLook: ContinuousClock.Instant?
        var hasEnded = false
        var speed = Speed()
    }

    /// - Parameter mainQueue: the session's, on which this is reloaded.
    /// - Throws: `DeviceError` if the device is missing or fails its test.
    package init(_ settings: Settings, on mainQueue: SerialMainQueue) throws {
        self.settings = settings
        let recipe = try GalleryRecipe(settings.chain, device: settings.device, settings)
        self.recipe = Locked(recipe)
        filterFiles = Locked(settings.chain.filePaths.map { GalleryMessage.FileMessage($0) })
        preferences = Preferences(path: settings.preferencesPath, settings.logger)
        starFile = StarFile(path: settings.starsPath, settings.logger)
        looks = Looks(settings.limits, memory, threads)
        clock = DispatchSource.makeTimerSource()
        var configuration = PhotoSession.Configuration()
        configuration.order = settings.order
        configuration.keepsDownloadedImages = true
        configuration.filteredImageLimit = Self.visibleLimit
        configuration.filteredByteLimit = 1 << 30
        var events = SessionEvents()
        events.changed = { [weak self] in self?.changed($0) }
        session = PhotoSession(
            [], steps: steps(for: recipe), on: mainQueue, target: self, configuration: configuration,
            logger: settings.logger, events: events)
        threads.start()
        watchStatus()
    }

    /// Cancels everything, and waits until no output is being written. The gallery cannot be used afterwards.
    package func end() async {
        clock.cancel()
        // The clock's last tick may be at it.
        recipeChange.withLock { _ in work.withLock { $0.hasEnded = true } }
        session.cancel()
        changes.end()
        let run = saving.withLock { $0 }
        run?.stop()
        await run?.waitForEnd()
        await session.waitForRest()
        try? await threads.shutdownGracefully()
    }

    /// The files that the page may name: those that were named where the gallery was started, or found below its folders, and
    /// those that pages have sent.
    var files: FilterFiles {
        FilterFiles(of: settings.chain, in: [settings.fileFolder]).adding(
            filterFiles.withLock { $0.map(\.path) }
        ).adding(contents: uploads.contents)
    }

    /// Offers files for filters, such as tables of colours.
    ///
    /// - Parameter paths: absolute, or relative to `Settings.fileFolder`.
    package func offer(filterFiles paths: [String]) {
        let known = Set(settings.chain.filePaths.map(\.exact))
        let more = paths.filter { !known.contains($0.exact) }.map { GalleryMessage.FileMessage($0) }
        filterFiles.withLock { $0 += more }
    }

    func steps(for recipe: GalleryRecipe) -> PhotoSteps {
        GallerySteps(settings, recipe, pipeline(for: Recipe(recipe.chain))).photoSteps
    }

    func pipeline(for recipe: Recipe) -> PhotoPipeline {
        PhotoPipeline(
            recipe, limits: settings.limits, memory: memory, temporaries: settings.temporaries,
            progress: progress)
    }

    // MARK: Reloads

    package func reloadAll() { changes.addReset() }

    package func reload(item: Int) { changes.add(item: item) }

    /// Notes what is in progress. A photo in view may have become busy without a reload. Those that were opened may have
    /// changed as well: they are reloaded only if they are in view.
    private func changed(_ scope: ReloadOperation.Scope) {
        switch scope {
        case .all: break  // The view is reloaded as well.
        case .item(let item):
            let isBusy = session.isBusy(item)
            let isShown = work.withLock { work in
                let wasBusy = work.busy.contains(item)
                if isBusy { work.busy.insert(item) } else { work.busy.remove(item) }
                return work.views.hasOpened(item) || isBusy != wasBusy && work.views.contains(item)
            }
            if isShown { changes.add(item: item) }
        }
    }

    // MARK: For the page

    var photoCount: Int { photos.withLock { $0.count } }
    var allPhotos: [InputPhoto] { photos.withLock { $0 } }

    /// Shows more photos, such as those of a list that has arrived.
    package func append(_ newPhotos: [InputPhoto]) {
        // At once: what the page asks of a photo comes behind it in the session's queue.
        photos.withLock { photos in
            session.append(newPhotos.enumerated().map { PhotoRecord($1, job: photos.count + $0) })
            photos += newPhotos
        }
    }

    func message() async throws -> GalleryMessage {
        // The first search for devices loads OpenCL's drivers.
        let devices = try await threads.runIfActive { [drivers = settings.drivers] in
            DeviceSelection.all(drivers: drivers).devices.map(\.info)
        }
        return GalleryMessage(
            count: photoCount, title: settings.title,
            order: settings.order == .barrier ? "barrier" : "perPhoto", replaces: settings.overwrites,
            downloads: settings.downloader != nil,
            formats: PhotoFormat.written.map { GalleryMessage.FormatMessage($0) },
            cursor: changes.cursor, recipe: recipe.withLock { $0 }.message(settings),
            devices: [GalleryMessage.DeviceMessage(identifier: "auto", name: "Automatic")]
                + devices.map { GalleryMessage.DeviceMessage(identifier: $0.identifier, name: $0.name) },
            filters: FilterCatalog.all.map { FilterDescription($0) }, files: filterFiles.withLock { $0 },
            preferences: preferences.all, status: status)
    }

    func photos(_ items: some Collection<Int>) -> PhotosMessage {
        PhotosMessage(first: items.first ?? 0, photos: items.map(photo))
    }

    private func photo(_ item: Int) -> PhotoMessage {
        // A record is there a moment later than its photo: the session appends it on its main queue.
        let snapshot = item < session.records.count ? session.records[item].snapshot : nil
        let hasImage = snapshot?.original != nil || snapshot?.filtered != nil
        return PhotoMessage(
            name: photos.withLock { $0[item].name }, state: "\(snapshot?.state ?? .new)",
            version: hasImage ? snapshot?.version ?? 0 : 0, error: snapshot?.error?.description,
            canRetry: snapshot?.error.map { canRetry(item, after: $0) } ?? false,
            busy: work.withLock { $0.busy.contains(item) }, stars: shownStars(of: item),
            own: recipe.withLock { $0.own[item] }.map { OwnMessage($0) })
    }

    /// A local photo that cannot be decoded stays so until its file changes.
    private func canRetry(_ item: Int, after error: PhotoError) -> Bool {
        guard case .codec = error, error.kind == .photo else { return true }
        return photos.withLock { if case .address = $0[item].location { true } else { false } }
    }

    func changeMessage(of items: [Int]) -> ChangesMessage {
        ChangesMessage(changes: items.map { ChangesMessage.Change(item: $0, photo: photo($0)) })
    }

    /// A picture of a photo in this version.
    ///
    /// - Returns: nil if the photo has another version, or no such image.
    /// - Throws: `PhotoError` if the image cannot be read.
    func picture(_ kind: Picture, of item: Int, version: Int) async throws -> PictureData? {
        let key = ThumbnailKey(item: item, version: version)
        if kind == .thumbnail, let thumbnail = thumbnails[key] { return thumbnail }
        guard item < session.records.count else { return nil }
        let photo = session.records[item].snapshot
        guard photo.version == version else { return nil }
        switch kind {
        case .thumbnail:
            guard let image = photo.filtered ?? photo.original else { return nil }
            let (limits, memory, record) = (settings.limits, memory, session.records[item])
            let thumbnail: PictureData? = try await threads.runIfActive {
                // While this waited for a thread, the photo may have been filtered.
                guard record.snapshot.version == version else { return nil }
                let thumbnail = try image.thumbnail(limits: limits, memory: memory)
                return PictureData(try thumbnail.bytes(), format: thumbnail.format ?? .usual)
            }
            if let thumbnail { thumbnails[key] = thumbnail }
            return thumbnail
        case .before: return try await data(of: photo.original)
        case .after: return try await data(of: photo.filtered)
        }
    }

    /// What browsers do not show is sent in the usual format.
    private func data(of image: EncodedImage?) async throws -> PictureData? {
        guard let image, let format = image.format else { return nil }
        guard !format.kind.isShownByBrowsers else {
            return try await PictureData(reading: image, format: format, on: threads)
        }
        let pipeline = pipeline(for: Recipe(FilterChain([]), format: .usual))
        let shown = try await threads.runIfActive { try pipeline.process(image, on: SIMDDevice()).image }
        return try await PictureData(reading: shown, format: .usual, on: threads)
    }

    // MARK: Status

    var status: StatusMessage {
        let counts = session.records.counts
        var status = StatusMessage()
        status.run = run
        (status.new, status.downloaded) = (counts.new, counts.downloaded)
        (status.filtered, status.failed) = (counts.filtered + counts.released, counts.failed)
        status.save = saving.withLock { $0?.message }
        status.downloads = session.queues.downloads.operations.count(where: \.isExecuting)
        status.filtering = session.queues.filtrations.operations.count(where: \.isExecuting)
        (status.device, status.recipeVersion, status.own) = recipe.withLock {
            ($0.deviceName, $0.version, $0.own.count)
        }
        work.withLock { work in
            status.megapixelsPerSecond = work.speed.megapixelsPerSecond
            status.state = work.isSuspended ? "suspended" : work.busy.isEmpty ? "idle" : "running"
        }
        return status
    }

    /// Tells the page of a changed status four times a second, and keeps its connection open.
    private func watchStatus() {
        let last = Locked((status: status, ticks: 0))
        clock.schedule(deadline: .now() + .milliseconds(250), repeating: .milliseconds(250))
        clock.setEventHandler { [weak self] in
            guard let self else { return }
            work.withLock { $0.speed.add(pixelCount: self.progress.pixelCount) }
            endLooks()
            let status = status
            let (isNew, ticks) = last.withLock { last in
                defer { last = (status, last.ticks + 1) }
                return (status != last.status, last.ticks)
            }
            if isNew { changes.addStatus() } else if ticks % 60 == 0 { changes.tick() }
        }
        clock.resume()
    }
}
