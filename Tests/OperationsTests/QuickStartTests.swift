import Crypto
import Filters
import Foundation
import TestSupport
import Testing
import Tintype

/// The library's quick start, as the README has it, compiled and run with nothing but the public interface.
struct QuickStartTests {
    @Test func networkDecryptTiltShiftAreThreeDependencies() async throws {
        let photo = try TestPhoto.png(width: 40, height: 40, seed: 8)
        let symmetric = SymmetricKey(size: .bits256)
        let sealed = try [UInt8](AES.GCM.seal(photo, using: symmetric).combined!)
        let server = try FaultServer { _, connection in connection.respond(body: sealed) }
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let keyFile = try folder.write(symmetric.withUnsafeBytes { Array($0) }, to: "key")
        let shown = Shared<EncodedImage?>(nil)
        let downloader = try PhotoDownloader.forTests()
        let url = server.url("/beach.png.sealed")
        let mainQueue = SerialMainQueue.makePrivate()
        let view = View()

        let chain = FilterChain([TiltShift()])
        let devices = try DeviceRoster(["cpu"], for: chain, policy: nil).pool

        let network = DownloadOperation(url, through: downloader)
        let decrypt = DecryptOperation(key: try DecryptionKey(file: keyFile), name: "beach.png")
        let tiltShift = FilterOperation([TiltShift()], on: devices, name: "beach.png")
        tiltShift.onImageProcessed(on: mainQueue) { result in
            shown.change { $0 = try? result.get() }
        }
        let reload = ReloadOperation(.item(0), of: view, on: mainQueue)

        decrypt.addDependency(network)
        tiltShift.addDependency(decrypt)
        reload.addDependency(tiltShift)

        let queue = OperationQueue()
        for operation in [network, decrypt, tiltShift] { queue.addOperation(operation) }
        mainQueue.queue.addOperation(reload)

        #expect(await eventually { reload.isFinished && shown.value != nil })
        #expect(view.reloads.value == [0])
        #expect(try shown.value?.bytes() == filtered(photo, Recipe(chain)))
    }

    private final class View: ReloadTarget {
        let reloads = Shared<[Int]>([])

        func reloadAll() {}
        func reload(item: Int) { reloads.change { $0.append(item) } }
    }
}
