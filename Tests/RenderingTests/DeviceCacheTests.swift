import Foundation
import Testing
import TintypeRendering

struct DeviceCacheTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "tintype-\(UUID().uuidString)")

    @Test func aProgramComesBackForItsKeyAlone() throws {
        let cache = try #require(DeviceCache(folder: folder))
        defer { try? FileManager.default.removeItem(at: folder) }
        cache.store([1, 2, 3], .program, for: "key")
        #expect(cache.value(.program, for: "key") == [1, 2, 3])
        #expect(cache.value(.program, for: "other key") == nil)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
    }

    @Test func aDamagedProgramIsIgnored() throws {
        let cache = try #require(DeviceCache(folder: folder))
        defer { try? FileManager.default.removeItem(at: folder) }
        cache.store(Array(repeating: 7, count: 100), .program, for: "key")
        let file = try #require(FileManager.default.contentsOfDirectory(atPath: folder.path).first)
        let url = folder.appendingPathComponent(file)
        let whole = try Data(contentsOf: url)
        for index in whole.indices {
            var damaged = whole
            damaged[index] ^= 0x10
            try damaged.write(to: url)
            #expect(cache.value(.program, for: "key") == nil, "byte \(index)")
        }
        for count in [0, 5, whole.count / 2, whole.count - 1] {
            try whole.prefix(count).write(to: url)
            #expect(cache.value(.program, for: "key") == nil, "cut to \(count) bytes")
        }
    }

    @Test func aFolderThatOthersMayWriteIsNotUsed() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
        #expect(DeviceCache(folder: folder) == nil)
    }

    @Test func withoutAHomeThereIsNoCache() { #expect(DeviceCache(environment: [:]) == nil) }
}
