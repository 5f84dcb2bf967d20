import TintypeImaging
import TintypeRendering

extension OpenCLDevice {
    package func uncompiledPrograms(of plans: [RenderPlan]) -> [ProgramSource] {
        guard keepsPrograms else { return [] }
        var seen: Set<ProgramSource> = []
        // They take longest, so they come first.
        let codec = info.kind == .openCLCPU ? [] : plans.flatMap { $0.codecPrograms(subsequences) }
        let filters = plans.flatMap { plan in
            ((try? PlannedProgram.programs(of: plan)) ?? []).sorted { $0.name < $1.name }.map(\.source)
        }
        return (codec + filters).filter { seen.insert($0).inserted && !isCompiled($0) }
    }

    /// Compiles programs into the cache, for other processes. A failure is left to the one that needs the program.
    package func compile(_ sources: [ProgramSource]) {
        for source in sources { _ = try? program(source) }
    }
}

extension RenderPlan {
    /// The programs that decode JPEGs for the plan, and encode its result.
    fileprivate func codecPrograms(_ subsequences: Subsequences) -> [ProgramSource] {
        let grey = PixelLayout.interleaved(.grey, .eight)
        let isDecoded = input != input.withoutPlanes || input == grey
        let decoder = isDecoded ? [ProgramSource.decoding(subsequences)] : []
        switch output {
        case .yCbCr(let sampling):
            return decoder + [ProgramSource(encodingLuma: (sampling.horizontal, sampling.vertical))]
        case grey: return decoder + [ProgramSource(encodingLuma: nil)]
        case .interleaved: return decoder
        }
    }
}
