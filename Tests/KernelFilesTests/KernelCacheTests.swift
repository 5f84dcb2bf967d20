import Foundation
import TestSupport
import Testing

@testable import TintypeKernelFiles

/// Compiled kernels on the disk. The compiler is a script that counts its calls.
struct KernelCacheTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let script = "#!/bin/sh\necho >> '\(folder.path("calls"))'\nexec cc \"$@\"\n"
        try folder.write(Array(script.utf8), to: "counting-cc")
        try set(0o755, of: "counting-cc")
        try FileManager.default.createDirectory(
            atPath: folder.path("tintype"), withIntermediateDirectories: false)
    }

    private var calls: Int { (try? folder.read("calls").count) ?? 0 }

    private var objects: [String] { folder.files().filter { $0.hasSuffix(".so") } }

    private func set(_ mode: Int, of name: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path(name))
    }

    /// - Parameter cache: the folder of the cache folder.
    private func compile(_ text: String = "c->r = 0.0f;", cache: String? = nil) throws {
        let kernel = "// summary: Dark\nPOINT(dark, c, at, a) { \(text) }\n"
        let path = try folder.write(Array(kernel.utf8), to: "dark.cl")
        let environment = [
            "CC": folder.path("counting-cc"), "XDG_CACHE_HOME": cache ?? folder.path, "PATH": "/usr/bin:/bin",
        ]
        try KernelFilter(contentsOf: path, environment).compile()
    }

    @Test func aTextIsCompiledOnce() throws {
        try compile()
        try compile()
        #expect(calls == 1)
        try compile("c->r = 1.0f;")
        #expect(calls == 2)
        #expect(objects.count == 2)
    }

    @Test func anotherCompilerCompilesAnew() throws {
        try compile()
        let later = Date(timeIntervalSinceNow: 5)
        try FileManager.default.setAttributes(
            [.modificationDate: later], ofItemAtPath: folder.path("counting-cc"))
        try compile()
        #expect(calls == 2)
    }

    @Test func aDamagedObjectIsCompiledAnew() throws {
        try compile()
        // In another folder, because this process has loaded the object by its path.
        let damaged = "other/" + objects[0]
        try folder.write(Array("\u{7F}ELF".utf8), to: damaged)
        try set(0o700, of: damaged)
        for _ in 0..<2 { try compile(cache: folder.path("other")) }
        #expect(calls == 2)
    }

    @Test func anObjectThatOthersCanWriteIsNotLoaded() throws {
        try compile()
        try set(0o722, of: objects[0])
        try compile()
        #expect(calls == 2)
        // The new one is the user's own again.
        try compile()
        #expect(calls == 2)
    }

    @Test func aFolderThatOthersCanWriteIsRefused() throws {
        try set(0o777, of: "tintype")
        let error = #expect(throws: KernelFileError.self) { try compile() }
        #expect(error == .noFolder(path: folder.path("dark.cl")))
        #expect(calls == 0)
    }

    @Test func whatAKilledRunLeftIsRemoved() throws {
        try folder.write([1, 2, 3], to: "tintype/kernel-1.new")
        try compile()
        #expect(folder.files().filter { $0.hasSuffix(".new") } == [])
    }
}
