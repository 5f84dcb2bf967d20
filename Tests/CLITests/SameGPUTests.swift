import Foundation
import TestSupport
import Testing

/// The built tool where two OpenCL platforms show GPUs: PoCL's two devices, by the layer of `OpenCLFaults`.
struct SameGPUTests {
    /// Beside the test bundle, so that programs are compiled once: `devices` tests every filter.
    private static let programs = BuiltProducts.path("same-gpu-programs")

    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.writeSet(4, width: 320, height: 240)
    }

    private func environment(_ identities: String, platforms: String = "two") -> [String: String] {
        [
            "OPENCL_LAYERS": DeviceFaultTests.layer, "OPENCL_AS_GPU": "1",
            "OPENCL_TWO_PLATFORMS": platforms, "OPENCL_IDENTITIES": identities,
            "XDG_CACHE_HOME": Self.programs,
        ]
    }

    /// The devices that filtered the photos.
    private func used(
        _ devices: [String], _ environment: [String: String]
    ) throws -> (devices: Set<String>, errorText: String) {
        let result = try Tool.run(
            ["apply", "-f", "sepia", "--no-journal", "--overwrite", "-j", "2", "--json", "-o", "out", "set"]
                + devices.flatMap { ["-d", $0] },
            in: folder, environment: environment)
        #expect(result.exitCode == 0, "\(result.errorText)")
        let summary =
            try JSONSerialization.jsonObject(with: Data(#require(result.outputLines.last).utf8))
            as? [String: Any]
        let devices = try #require(summary?["devices"] as? [String: Int])
        return (Set(devices.keys), result.errorText)
    }

    @Test(arguments: ["pci=1,nv=1", "nv=1,amd=1", "amd=1,pci=1", "uuid=7,uuid=7"])
    func oneGPUUnderTwoPlatformsIsUsedOnce(identities: String) throws {
        #expect(try used(["gpu"], environment(identities)).devices == ["0.0"])
        #expect(try used(["0", "1"], environment(identities)).devices == ["0.0", "1.0"])
        #expect(try used(["1"], environment(identities)).devices == ["1.0"])
    }

    @Test(arguments: [
        "pci=1,nv=2", "uuid=7,uuid=8", "pci=1,uuid=1", "none,none", "pci=0,pci=0", "uuid=0,uuid=0",
    ])
    func twoGPUsAreTwo(identities: String) throws {
        #expect(try used(["gpu"], environment(identities)).devices == ["0.0", "1.0"])
    }

    @Test func theVendorsOwnPlatformIsPreferredAndTheOtherReplacesIt() throws {
        var own = environment("pci=1,pci=1")
        own["OPENCL_OWN_PLATFORM"] = "1"
        #expect(try used(["gpu"], own).devices == ["1.0"])
        // The first launch is of the self-test of 1.0.
        own["OPENCL_FAULT"] = "clEnqueueNDRangeKernel:1:error"
        let replaced = try used(["gpu"], own)
        #expect(replaced.devices == ["0.0"])
        #expect(replaced.errorText.contains("1.0 is not used"), "\(replaced.errorText)")
    }

    @Test func theOtherPlatformReplacesOneWhoseDriverCrashes() throws {
        var both = environment("pci=1,pci=1")
        both["OPENCL_FAULT"] = "clEnqueueNDRangeKernel:1+:first"
        let replaced = try used(["gpu"], both)
        #expect(replaced.devices == ["1.0"])
        #expect(replaced.errorText.contains("0.0 is not used"), "\(replaced.errorText)")
    }

    @Test func devicesTellsWhichAreTheSame() throws {
        let result = try Tool.run(["devices", "--json"], in: folder, environment: environment("pci=1,nv=1"))
        let devices = try JSONSerialization.jsonObject(with: Data(result.output)) as? [[String: Any]]
        #expect(try #require(devices).map { $0["sameAs"] as? String } == [nil, "0.0", nil])
        // A driver that is listed twice: the handles are the same.
        let twice = try Tool.run(
            ["devices"], in: folder, environment: environment("none,none", platforms: "same"))
        let table = twice.outputText
        #expect(table.contains("the same as 0.0") && table.contains("the same as 0.1"), "\(table)")
    }
}
