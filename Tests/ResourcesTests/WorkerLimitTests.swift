import Glibc
import Testing

@testable import TintypeResources

struct WorkerLimitTests {
    /// By default, malloc would raise its threshold to the size of a block that was freed, and keep smaller ones.
    @Test(
        .enabled(
            if: dlsym(nil, "__sanitizer_print_stack_trace") == nil,
            "The sanitizers have a malloc of their own."))
    func largeBlocksGoBackToTheSystem() async {
        // In a process of its own: what other tests have freed would serve for the block.
        await #expect(processExitsWith: .success) {
            _ = try WorkerLimit(for: 1)
            free(malloc(30 << 20))
            let block = try #require(malloc(20 << 20))
            defer { free(block) }
            // The word before a block is its size; in glibc, its second bit tells that the block was mapped, and so is
            // unmapped by `free`.
            try #require(block.load(fromByteOffset: -MemoryLayout<UInt>.size, as: UInt.self) & 2 != 0)
        }
    }
}
