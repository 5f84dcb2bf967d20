import Foundation
import TintypeBenchmarking

/// Measures how long a fresh process takes for its first photo, by starting the tool anew.
///
/// Only a process of its own begins with nothing in memory, and its drivers' caches can be put elsewhere.
struct StartupProbe {
    /// The child process failed, or printed no number.
    struct Failure: Error, CustomStringConvertible {
        let errorText: String

        var description: String { "A process of its own failed with the first photo: \(errorText)" }
    }

    /// Where drivers keep compiled programs: ours, Mesa's and others' (XDG), PoCL's, NVIDIA's, Intel's, AMD's.
    private static let cacheVariables = [
        "XDG_CACHE_HOME", "POCL_CACHE_DIR", "CUDA_CACHE_PATH", "NEO_CACHE_DIR", "AMD_COMGR_CACHE_DIR",
    ]

    /// The `.cl` files of the user's own filters.
    let kernels: KernelFlags
    /// Where a folder for the caches is made.
    var parent = FileManager.default.temporaryDirectory

    /// - Returns: seconds with empty caches, and then again with those that the first process has filled; nil if there can be no
    ///   folder or no process, which says nothing of the device.
    /// - Throws: `Failure`.
    func measure(device: String, chain: String) throws -> (cold: Double, warm: Double)? {
        let folder = parent.appendingPathComponent("tintype-bench-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            let cold = try seconds(device, chain, caches: folder)
            return (cold, try seconds(device, chain, caches: folder))
        } catch let failure as Failure {
            throw failure
        } catch {
            return nil
        }
    }

    /// - Returns: seconds with the user's own caches, once they have what the process needs.
    func warmSeconds(device: String, chain: String) throws -> Double {
        _ = try seconds(device, chain, caches: nil)
        return try seconds(device, chain, caches: nil)
    }

    private func seconds(_ device: String, _ chain: String, caches: URL?) throws -> Double {
        let process = Process(), output = Pipe(), errors = Pipe()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["bench", "--startup-of", device, "--filter", chain] + kernels.arguments
        var environment = ProcessInfo.processInfo.environment
        for name in Self.cacheVariables {
            guard let caches else { break }
            let cache = caches.appendingPathComponent(name)
            try FileManager.default.createDirectory(
                at: cache, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            environment[name] = cache.path
        }
        process.environment = environment
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // Both are short, so neither pipe fills while the other is read.
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let errorText = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0,
            let seconds = Double(text.trimmingCharacters(in: .whitespacesAndNewlines))
        else {
            throw Failure(errorText: errorText.isEmpty ? "it ended without a word" : errorText)
        }
        return seconds
    }

    /// What the child does: prints the seconds that its first photo took, with the drivers in a process of their own, as
    /// `tintype apply` has them.
    static func runChild(device: String, chain: BenchmarkChain) throws {
        let seconds = try FirstPhoto.seconds(on: device, chain, drivers: DriverProcessCommand.host())
        try StandardStream.writeResult("\(seconds)\n")
    }
}
