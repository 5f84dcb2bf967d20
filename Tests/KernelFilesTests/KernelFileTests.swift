import Foundation
import TestSupport
import Testing
import TintypeFilters
import TintypeImaging

@testable import TintypeCPURendering
@testable import TintypeCompute
@testable import TintypeKernelFiles
@testable import TintypeRendering

/// Kernels from files, on the CPU and on OpenCL. Each test has a cache folder of its own.
struct KernelFileTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path("cache"), withIntermediateDirectories: false)
    }

    /// `c->g` goes through a helper; `at` tells the left half from the right one.
    static let glow = """
        // summary: Light on the left
        // parameter: amount = 0.5 in 0...1, how much
        // parameter: tint = #336699, the light's colour
        ARGUMENTS(glow) { float amount, tint[3]; };

        FUNCTION float glow_sum(float x, float light) { return x + light; }

        POINT(glow, c, at, a)
        {
            const float amount = 2 * at.x < at.width ? a->amount : 0.0f;
            c->r = c->r + amount * a->tint[0];
            c->g = glow_sum(c->g, amount * a->tint[1]);
            c->b = c->b + amount * a->tint[2];
        }
        """

    private func environment(_ more: [String: String] = [:]) -> [String: String] {
        ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "", "XDG_CACHE_HOME": folder.path("cache")]
            .merging(more) { $1 }
    }

    private func filter(
        _ text: String, as name: String = "glow.cl", _ more: [String: String] = [:]
    ) throws -> KernelFilter {
        try KernelFilter(
            contentsOf: try folder.write(Array(text.utf8), to: name), environment(more))
    }

    /// Renders a grey RGB photo of 8 bits, a row of four pixels.
    private func row(_ filters: [any Filter], grey: UInt8, on level: SIMDLevel) throws -> [UInt8] {
        let photo = MemoryPhoto(PhotoGeometry(width: 4, height: 1), layout: .interleaved(.rgb, .eight))
        photo.forEachRow { $0.initializeMemory(as: UInt8.self, repeating: grey) }
        let plan = RenderPlan(
            FilterChain(filters), for: photo.geometry, input: photo.layout, output: photo.layout)
        let result = MemoryPhoto(plan.outputGeometry, layout: plan.output)
        try SIMDDevice(level: level).render(
            plan, from: photo.makeSource(), to: result.makeSink(), isCancelled: { false })
        return result.samples
    }

    @Test(arguments: ["cc", "clang", "gcc"], SIMDLevel.supported)
    func theFunctionRunsOnTheCPUAsEachCompilerMakesIt(compiler: String, level: SIMDLevel) throws {
        let filter = try filter(Self.glow, ["CC": compiler])
        // 100 + 0.5 * (51, 102, 153), which is #336699.
        let lit: [UInt8] = [126, 151, 177], plain: [UInt8] = [100, 100, 100]
        #expect(try row([filter], grey: 100, on: level) == lit + lit + plain + plain)
    }

    @Test func everyCompilerAndLevelGivesTheSameBytes() throws {
        let photo = MemoryPhoto(
            noise: PhotoGeometry(width: 149, height: 37), layout: .interleaved(.rgba, .sixteen), seed: 1)
        // Contraction into fused multiply-adds changes the last bits of these.
        let text = """
            // summary: Sums of products
            POINT(mix, c, at, a)
            {
                const float x = c->r * 0.3f + c->g * 0.6f, y = c->g * 1.7f - c->b * c->r;
                c->r = x * y + c->b;
                c->g = (x - y) * 3.1f + c->r * x;
                c->b = linear_value(c->b) * y + x;
            }
            """
        var results: [[UInt8]] = []
        for compiler in ["clang", "gcc"] {
            let chain = FilterChain([Sepia(), try filter(text, as: "mix.cl", ["CC": compiler])])
            for level in SIMDLevel.supported {
                let plan = RenderPlan(
                    chain, for: photo.geometry, input: photo.layout, output: photo.layout)
                let result = MemoryPhoto(plan.outputGeometry, layout: plan.output)
                try SIMDDevice(level: level).render(
                    plan, from: photo.makeSource(), to: result.makeSink(), isCancelled: { false })
                results.append(result.samples)
            }
        }
        #expect(results.allSatisfy { $0 == results[0] })
    }

    @Test func openCLGivesTheSameBytesAndIsRefusedOtherwise() throws {
        let device = try #require(
            DeviceSelection.all().devices.first { $0.info.kind != .simd }, "no OpenCL device")
        let layout = PixelLayout.yCbCr(.s420), photo = PhotoGeometry(width: 300, height: 200)
        func plan(_ filter: KernelFilter) -> RenderPlan {
            RenderPlan(FilterChain([Noir(), filter]), for: photo, input: layout, output: layout)
        }
        try device.selfTest(plan(filter(Self.glow)))
        let wrong = "\n#ifdef __OPENCL_VERSION__\n#define glow_sum(x, light) 0.0f\n#endif\nPOINT"
        let other = try filter(Self.glow.replacing("\nPOINT", with: wrong))
        let differs = #expect(throws: DeviceError.self) { try device.selfTest(plan(other)) }
        guard case .failedSelfTest = differs else {
            Issue.record("\(differs.map { "\($0)" } ?? "no error")")
            return
        }
        let broken = "\n#ifdef __OPENCL_VERSION__\n#error no OpenCL\n#endif\nPOINT"
        let error = #expect(throws: DeviceError.self) {
            try device.selfTest(plan(filter(Self.glow.replacing("\nPOINT", with: broken))))
        }
        #expect("\(error.map { "\($0)" } ?? "")".contains("glow.cl:9"))
    }

    /// Names that mean something else in OpenCL, and macros that would change the texts of `Kernels/` behind the file.
    @Test(arguments: ["local", "mix"])
    func namesAndMacrosDoNotReachOtherTexts(name: String) throws {
        let device = try #require(
            DeviceSelection.all().devices.first { $0.info.kind != .simd }, "no OpenCL device")
        let text = """
            // summary: Half of red
            #ifndef FUNCTION
            #define FUNCTION static
            #endif
            # define R c->r
            #define curve(x) 0.5f * (x)
            POINT(\(name), c, at, a) { R = curve(R); }
            """
        let filters: [any Filter] = [try filter(text, as: "\(name).cl"), HueRotate(), Curves()]
        let layout = PixelLayout.interleaved(.rgb, .eight)
        try device.selfTest(
            RenderPlan(
                FilterChain(filters), for: PhotoGeometry(width: 30, height: 20), input: layout,
                output: layout))
    }

    @Test func aKernelWithoutParametersNeedsNoArguments() throws {
        let text = "// summary: Red off\nPOINT(red_off, c, at, a) { c->r = 0.0f; }"
        let filter = try filter(text, as: "red_off.cl")
        #expect(filter.name == "red-off")
        #expect(try row([filter], grey: 9, on: .baseline) == [0, 9, 9, 0, 9, 9, 0, 9, 9, 0, 9, 9])
    }

    @Test func aRecipeKnowsTheTextAndTheSettings() throws {
        let filter = try filter(Self.glow), hash = try #require(filter.codeHash)
        #expect(filter.recipe == "glow:amount=0.5,tint=#336699,code=\(hash)")
        #expect(filter.example == "glow:amount=0.5,tint=#336699")
        let same = try self.filter(Self.glow.replacing("\n", with: "\r\n"))
        #expect(same.recipe == filter.recipe)
        let other = try self.filter(Self.glow.replacing("2 * at.x", with: "3 * at.x"))
        #expect(other.recipe != filter.recipe)
    }

    @Test func mistakesNameTheFileAndTheLine() throws {
        let text = Self.glow.replacing("c->b + amount", with: "c->b + amunt")
        for compiler in ["clang", "gcc"] {
            let error = #expect(throws: KernelFileError.self) {
                try filter(text, ["CC": compiler]).compile()
            }
            #expect("\(error.map { "\($0)" } ?? "")".contains("\(folder.path("glow.cl")):13:"))
        }
        // A function whose bytes differ from device to device.
        #expect(throws: KernelFileError.self) {
            try filter(Self.glow.replacing("return x", with: "return sqrt(x)")).compile()
        }
    }

    @Test(arguments: [
        ("Glow.cl", glow, "the file's name becomes the filter's"),
        ("glow.c", glow, "the file's name becomes the filter's"),
        ("shine.cl", glow, "expected a function 'POINT(shine, c, at, a) { ... }'"),
        (
            "glow.cl", glow.replacing("// summary", with: "# include <math.h>\n//"),
            ", line 1: a kernel cannot include"
        ),
        (
            "glow.cl", glow.replacing("in 0...1", with: "in 0..1"),
            ", line 2: expected 'parameter: amount = 0.5"
        ),
        (
            "glow.cl", glow.replacing("amount, tint[3]", with: "tint[3]"),
            "needs 'float amount' in ARGUMENTS(glow)"
        ),
        ("glow.cl", "\0" + glow, "not UTF-8 text"),
        ("glow.cl", String(repeating: " ", count: 1 << 20) + glow, "at most 1 MiB"),
    ])
    func wrongFilesAreRefused(name: String, text: String, problem: String) throws {
        let error = #expect(throws: KernelFileError.self) { try filter(text, as: name) }
        #expect("\(error.map { "\($0)" } ?? "")".contains(problem), "\(error.map { "\($0)" } ?? "")")
    }

    @Test func functionsOfCAreRefusedWithWhatThereIs() throws {
        let text = Self.glow.replacing("return x + light", with: "return sqrt(x)")
        for compiler in ["clang", "gcc"] {
            let error = #expect(throws: KernelFileError.self) {
                try filter(text, ["CC": compiler]).compile()
            }
            let message = error?.description ?? ""
            #expect(message.contains("glow.cl:6:") && message.contains("sqrt"), "\(message)")
            #expect(!message.contains("include"), "\(message)")
            #expect(message.contains("none of C or OpenCL, such as sqrt or pow"))
        }
    }

    @Test func aCompilerThatCannotRunIsNotSaidToHaveCompiled() throws {
        let script = try folder.write(Array("#!/no/such/interpreter\n".utf8), to: "bad-cc")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
        let error = #expect(throws: KernelFileError.self) { try filter(Self.glow, ["CC": script]).compile() }
        #expect(
            error?.description
                == "'\(folder.path("glow.cl"))' cannot be compiled for the CPU: \(script) cannot run: No such file or directory."
        )
        // A folder is no program.
        let folder = self.folder.path("cache")
        let none = #expect(throws: KernelFileError.self) { try filter(Self.glow, ["CC": folder]).compile() }
        #expect(none == .noCompiler(path: self.folder.path("glow.cl"), asked: folder))
    }

    /// Mistakes that would end the run, or never end it.
    @Test(arguments: [
        ("for (;;) c->r = c->r + 0.5f * (1.0f - c->r);", "takes too long"),
        ("for (float x = 0.0f; x < 1.0f; x += a->amount) c->r = c->r * 0.5f + x;", "takes too long"),
        (
            "volatile float much[1 << 28]; const int i = (int)(c->r * 255.0f); much[i] = 1.0f; c->r = much[i / 2];",
            "crashes on the CPU (Segmentation fault)"
        ),
        (
            "volatile int zero = 0; c->r = (float)(at.x / zero);",
            "crashes on the CPU (Floating point exception)"
        ),
        ("*(volatile float *)0 = 1.0f;", "crashes on the CPU"),
    ])
    func aFunctionThatWouldNotComeBackIsRefused(body: String, problem: String) throws {
        let text =
            "// summary: Bad\n// parameter: amount = 0.5 in 0...1, how much\n"
            + "ARGUMENTS(bad) { float amount; };\nPOINT(bad, c, at, a) { \(body) }\n"
        let filter = try filter(text, as: "bad.cl")
        let error = #expect(throws: KernelFileError.self) { try filter.compile() }
        #expect(error?.description.contains(problem) == true, "\(error?.description ?? "")")
        // It was not kept, so the next run refuses it too.
        #expect(folder.files().filter { $0.hasSuffix(".so") || $0.hasSuffix(".new") } == [])
    }

    /// Functions that come back with the default and with the ends of the range.
    @Test(arguments: [
        (
            "for (;;) c->r = c->r + 0.5f * (1.0f - c->r);",
            "takes too long on the CPU with amount=0.3: a thousand"
        ),
        (
            "volatile int zero = 0; c->r = (float)(at.x / zero);",
            "crashes on the CPU with amount=0.3 (Floating point exception)"
        ),
    ])
    func aFunctionThatWouldNotComeBackWithItsSettingsIsRefused(body: String, problem: String) throws {
        let text =
            "// summary: Bad\n// parameter: amount = 0.5 in 0...1, how much\n"
            + "ARGUMENTS(bad) { float amount; };\n"
            + "POINT(bad, c, at, a) { if (a->amount > 0.25f && a->amount < 0.4f) { \(body) } }\n"
        var filter = try filter(text, as: "bad.cl")
        func set(_ amount: String) throws { try filter.parameters[0].set(amount, in: &filter) }
        try set("0.45")
        try filter.compile()
        try set("0.3")
        let refusal = #expect(throws: KernelFileError.self) { try filter.compile() }
        #expect(refusal?.description.contains(problem) == true, "\(refusal?.description ?? "")")
        let error = #expect(throws: DeviceError.self) { try row([filter], grey: 9, on: .baseline) }
        #expect("\(error.map { "\($0)" } ?? "")".contains(problem))
        // Other settings can be used.
        try set("0.2")
        #expect(try row([filter], grey: 9, on: .baseline) == [UInt8](repeating: 9, count: 12))
    }

    /// The compiler, and what it has started, are ended.
    @Test func aCompilerThatTakesTooLongIsEnded() throws {
        let script = "#!/bin/sh\nsh -c 'echo $$ > \(folder.path("child")); exec sleep 600' &\nwait\n"
        let path = try folder.write(Array(script.utf8), to: "slow-cc")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        let compiler = try CCompiler(environment(["CC": path]), for: "glow.cl", timeLimit: 5)
        let error = #expect(throws: KernelFileError.self) {
            try compiler.compile("", for: "baseline", to: folder.path("a.so"), kernel: "glow.cl")
        }
        #expect(
            error
                == .notCompiled(
                    path: "glow.cl", reason: "\(path) was ended, because it took longer than 5 s"))
        let text = String(decoding: try folder.read("child"), as: UTF8.self)
        let child = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        func isRunning() -> Bool {
            // A zombie waits for whoever has taken it over.
            let status = (try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8)) ?? ") Z"
            return !status.contains(") Z")
        }
        #expect(eventually { !isRunning() })
    }

    @Test func withoutACompilerTheReasonIsSaid() throws {
        let none = #expect(throws: KernelFileError.self) { try filter(Self.glow, ["PATH": ""]).compile() }
        #expect(none == .noCompiler(path: folder.path("glow.cl"), asked: nil))
        let asked = #expect(throws: KernelFileError.self) {
            try filter(Self.glow, ["CC": "no-cc -m64"]).compile()
        }
        #expect(asked == .noCompiler(path: folder.path("glow.cl"), asked: "no-cc"))
    }
}
