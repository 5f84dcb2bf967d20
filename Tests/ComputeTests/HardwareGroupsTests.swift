import Testing

@testable import TintypeCompute
@testable import TintypeRendering

/// Which devices of several OpenCL platforms are the same hardware.
struct HardwareGroupsTests {
    private func info(_ identifier: String, _ hardware: HardwareIdentity?) -> DeviceInfo {
        DeviceInfo(
            identifier: identifier, kind: .gpu, name: "GPU", driver: "", memoryByteCount: 0,
            hardware: hardware)
    }

    private func groups(_ hardware: (String, HardwareIdentity?)...) -> [[Int]] {
        HardwareGroups(hardware.map(info)).groups
    }

    private let first = HardwareIdentity(pciAddress: "0000:01:00.0")
    private let second = HardwareIdentity(pciAddress: "0000:02:00.0")

    @Test func oneAddressUnderTwoPlatformsIsOneDevice() {
        #expect(
            groups(("0.0", first), ("0.1", second), ("1.0", second), ("1.1", first)) == [[0, 3], [1, 2]])
    }

    @Test func devicesOfOnePlatformAreNeverOne() {
        // The two tiles of one card have one address. A second platform shows both tiles again.
        #expect(groups(("0.0", first), ("0.1", first)) == [[0], [1]])
        #expect(groups(("0.0", first), ("0.1", first), ("1.0", first), ("1.1", first)) == [[0, 2], [1, 3]])
    }

    @Test func withoutAnIdentityEqualGPUsAreSeveral() {
        #expect(groups(("0.0", nil), ("1.0", nil), ("2.0", HardwareIdentity())) == [[0], [1], [2]])
    }

    @Test func aUUIDServesWhereAnAddressIsUnknown() {
        let uuid = HardwareIdentity(uuid: "ab"),
            both = HardwareIdentity(pciAddress: "0000:01:00.0", uuid: "ab")
        #expect(groups(("0.0", uuid), ("1.0", both)) == [[0, 1]])
        let elsewhere = HardwareIdentity(pciAddress: "0000:02:00.0", uuid: "ab")
        #expect(groups(("0.0", both), ("1.0", elsewhere)) == [[0], [1]])
    }

    @Test func aDriverThatIsListedTwiceGivesItsDevicesOnce() {
        #expect(groups(("0.0", HardwareIdentity()), ("1.0", HardwareIdentity(repeats: "0.0"))) == [[0, 1]])
    }

    @Test func theVendorsOwnPlatformIsPreferred() {
        let own = HardwareIdentity(pciAddress: "0000:01:00.0", isVendorsOwn: true)
        let found = HardwareGroups([info("0.0", first), info("1.0", own), info("2.0", second)])
        #expect(found.groups == [[1, 0], [2]])
        #expect(found.preferred(to: 0) == 1 && found.preferred(to: 1) == nil && found.preferred(to: 2) == nil)
    }
}
