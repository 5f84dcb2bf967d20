import Foundation
import TestSupport
import Testing

/// The built tool where a vendor's OpenCL driver has no entry in libOpenCL's folder: PoCL's library under the name of NVIDIA's.
struct UnlistedDriverTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(TestPhoto.jpeg(width: 320, height: 240, seed: 1), to: "a.jpg")
        try FileManager.default.createDirectory(
            atPath: folder.path("lib/drivers"), withIntermediateDirectories: true)
        // Links, because one process cannot have PoCL twice. It finds its devices and headers by its own path.
        let pocl = try Self.pocl(), own = URL(fileURLWithPath: pocl).deletingLastPathComponent()
        for (name, target) in [
            ("lib/drivers/libnvidia-opencl.so.1", pocl),
            ("lib/drivers/pocl", own.appendingPathComponent("pocl").path),
            ("share", own.appendingPathComponent("../../share").standardized.path),
        ] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path(name), withDestinationPath: target)
        }
    }

    /// PoCL's library, by its entry.
    private static func pocl() throws -> String {
        let entry = try String(contentsOfFile: "/etc/OpenCL/vendors/pocl.icd", encoding: .utf8)
        let name = entry.trimmingCharacters(in: .whitespacesAndNewlines)
        let folders = ["", "/usr/lib/x86_64-linux-gnu/", "/usr/lib/aarch64-linux-gnu/", "/usr/lib64/"]
        return try #require(folders.map { $0 + name }.first(where: FileManager.default.fileExists))
    }

    private var libraries: [String: String] {
        ["LD_LIBRARY_PATH": folder.path("lib/drivers"), "OCL_ICD_VENDORS": ""]
    }

    /// This file is found before the real library, and is no library.
    private func withoutLoader() throws -> [String: String] {
        try folder.write(Array("not a library".utf8), to: "lib/drivers/libOpenCL.so.1")
        return libraries
    }

    /// libOpenCL is there, and lists nothing.
    private var withEmptyLoader: [String: String] {
        libraries.merging(
            ["OPENCL_LAYERS": DeviceFaultTests.layer, "OPENCL_FAULT": "clGetPlatformIDs:1+:error=-1001"]
        ) { $1 }
    }

    private func devices(_ environment: [String: String]) throws -> (drivers: [String], errorText: String) {
        let result = try Tool.run(["devices", "--json"], in: folder, environment: environment)
        let devices = try #require(
            try JSONSerialization.jsonObject(with: Data(result.output)) as? [[String: Any]])
        #expect(devices.allSatisfy { $0["passesSelfTest"] as? Bool == true }, "\(result.errorText)")
        return (devices.compactMap { $0["driver"] as? String }.filter { !$0.isEmpty }, result.errorText)
    }

    @Test(arguments: [false, true])
    func aDriverWithoutAnEntryIsUsed(hasLoader: Bool) throws {
        let environment = try hasLoader ? withEmptyLoader : withoutLoader()
        let (drivers, errorText) = try devices(environment)
        #expect(drivers.contains { $0.hasPrefix("Portable Computing Language") }, "\(errorText)")
        #expect(errorText.contains("libnvidia-opencl.so.1, is used without an entry"), "\(errorText)")
        // Nothing is missing.
        #expect(!errorText.contains("cannot be loaded"), "\(errorText)")
        for (output, arguments) in [
            ("own", ["-d", "0", "--no-driver-process"]), ("0", ["-d", "0"]), ("cpu", ["-d", "cpu"]),
        ] {
            let result = try Tool.run(
                ["apply", "--no-journal", "-f", "sepia+blur", "-o", output] + arguments + ["a.jpg"],
                in: folder, environment: environment)
            #expect(result.exitCode == 0, "\(result.errorText)")
            #expect(try folder.read("\(output)/a.jpg") == folder.read("own/a.jpg"), "\(output)")
        }
    }

    @Test func whoeverNamesTheDriversGetsNoOthers() throws {
        var environment = try withoutLoader()
        environment["OCL_ICD_VENDORS"] = folder.path
        let (drivers, errorText) = try devices(environment)
        #expect(drivers.isEmpty)
        #expect(errorText.hasPrefix("OpenCL cannot be loaded ("), "\(errorText)")
    }

    @Test func aDriverThatIsListedIsNotListedTwice() throws {
        let (drivers, errorText) = try devices(libraries)
        #expect(try drivers == devices(["OCL_ICD_VENDORS": ""]).drivers)
        #expect(!errorText.contains("is used without an entry"), "\(errorText)")
    }
}
