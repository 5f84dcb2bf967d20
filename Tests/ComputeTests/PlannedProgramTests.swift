import Testing
import TintypeFilterPictures
import TintypeFilters
import TintypeImaging

@testable import TintypeCompute
@testable import TintypeOpenCLRendering
@testable import TintypeRendering

/// The programs that `make gpu-code` compiles are those that a device builds.
struct PlannedProgramTests {
    @Test(arguments: [
        ["sepia"], ["noir", "tilt-shift:radius=70,falloff=1", "fade"], ["tilt-shift:radius=9,transition=mix"],
        ["sepia", "bloom:radius=9,threshold=0.1", "median"], ["resize:scale=60%", "crop:height=31", "noir"],
    ])
    func aRenderBuildsThePlannedPrograms(filters: [String]) throws {
        // Alpha and depth change the programs of all chains alike.
        let layouts = [PixelLayout.yCbCr(.s420)] + (filters.count == 1 ? [.interleaved(.rgba, .sixteen)] : [])
        for layout in layouts {
            let device = try #require(OpenCLRuntime.shared.makeDevices().first)
            let photo = MemoryPhoto(noise: PhotoGeometry(width: 70, height: 161), layout: layout, seed: 1)
            let plan = RenderPlan(
                try FilterChain(parsing: filters), for: photo.geometry, input: layout, output: layout)
            _ = try device.render(plan, photo)
            let planned = try PlannedProgram.programs(of: plan)
            #expect(Set(device.builtSources.map(\.text)) == Set(planned.map(\.text)))
            #expect(Set(planned.map(\.name)).count == planned.count)
        }
    }
}
