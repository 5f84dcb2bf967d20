import Foundation
import Testing
import Tintype

@testable import TintypeCLI

/// Messages of the library, and the words that the tool gives them.
struct FlagWordingTests {
    private struct Message {
        let error: any AdvisedError
        /// What the tool prints.
        let text: String
    }

    private static let messages = [
        Message(
            error: PhotoError.outputExists(path: "a.jpg"),
            text:
                "The output 'a.jpg' appeared during the run and was left as it is. Add --overwrite to replace it."
        ),
        Message(
            error: PhotoError.outputIsFolder(path: "a.jpg"),
            text: "The output 'a.jpg' is a folder. Give another name with --output."),
        Message(
            error: PhotoError.outputIsInput(path: "a.jpg"),
            text:
                "The output 'a.jpg' is itself one of the photos to be filtered. Originals are never replaced: give "
                + "another folder with --output."),
        Message(
            error: PhotoError.codec(.tooManyPixels(width: 9, height: 9, limit: 80)),
            text:
                "The photo has 9 x 9 pixels, more than the limit of 80. Raise it with --max-pixels if you trust the file."
        ),
        Message(
            error: PhotoError.codec(.tooManyScans(limit: 8)),
            text:
                "The JPEG's scans cover the image more than 8 times; such files are made to waste time. Raise the limit "
                + "with --max-scans if you trust the file."),
        Message(
            error: CodecError.needsTooMuchMemory(reason: "very wide", byteCount: 3 << 20, limit: 2 << 20),
            text:
                "The photo needs 3 MiB of memory at once because it is very wide, more than the limit of 2 MiB for one "
                + "photo. Raise --max-photo-memory, and --memory where that is less, if you trust the file."),
        Message(
            error: DeviceError.notFound(asked: "warp", known: ["cpu"]),
            text: "No device matches 'warp'. This machine has: cpu. See 'tintype devices'."),
        Message(
            error: DeviceError.buildFailed(kernel: "sepia", device: "GPU", log: "no"),
            text: "GPU could not compile sepia. Run with '--device cpu' meanwhile; the compiler said:\nno"),
        Message(
            error: DeviceError.stoppedAnswering(device: "GPU", after: .seconds(3)),
            text:
                "GPU has not answered for 3.0 s, so it is not used any more in this run. Run with '--device cpu' meanwhile; "
                + "give a slow device more time with '--device-timeout'."),
        Message(
            error: DeviceError.tooLarge(device: "GPU", byteCount: 2 << 20, limit: 1 << 20),
            text:
                "This photo needs 2 MiB of GPU's memory at once with these filters, and 1 MiB are the most. Run with "
                + "'--device cpu' for such photos."),
        Message(
            error: JournalError.none(folder: "out"),
            text: "'out' has no journal. Name a folder that 'tintype apply --output' has written to."),
        Message(
            error: JournalError.hasShards(folder: "out"),
            text:
                "'out' has journals of shards. Once all shards have ended, take them in with 'tintype journal --merge out'."
        ),
        Message(
            error: JournalError.otherRecipe(
                folder: "out", made: "v5 filters=sepia:intensity=1 metadata=strip",
                asked: "v5 filters=noir:contrast=5"),
            text:
                "'out' holds photos made with -f sepia:intensity=1 --strip; this run asks for -f noir:contrast=5. Give another "
                + "folder with --output, or a template that keeps both looks apart, such as --output "
                + "'out/{dir}/{stem}-{recipe}.{ext}'. --overwrite replaces what is there."),
        Message(
            error: OutputError.emptyName,
            text: "--output is empty. Give a folder, a template such as 'out/{stem}-{chain}.{ext}', or '-'."),
        Message(
            error: OutputError.severalPhotosToStandardOutput(count: 2),
            text: "--output - takes one photo, and there are 2. Give a folder instead: --output out"),
        Message(
            error: OutputError.exists(["a.jpg"], count: 2),
            text:
                "2 outputs exist already: 'a.jpg', .... Add --skip-existing to do the others only, --overwrite to replace them, "
                + "or give another --output."),
    ]

    @Test func theLibraryNamesNoFlagsAndNoSubcommands() {
        for message in Self.messages {
            let text = message.error.description
            #expect(!text.contains("--") && !text.contains("tintype "), "\(text)")
            #expect(text.hasPrefix(message.error.problem))
            #expect(message.error.errorDescription == message.error.problem)
            if let advice = message.error.recoverySuggestion { #expect(text.hasSuffix(" " + advice)) }
        }
        #expect(PhotoError.outputExists(path: "a").recoverySuggestion == "Allow it to be replaced.")
    }

    @Test func theToolNamesItsFlags() async {
        await #expect(processExitsWith: .success) {
            Wording.useFlags()
            for message in Self.messages {
                try #require(message.error.description == message.text, "\(message.error.description)")
            }
        }
    }
}
