import TintypeRendering

extension OpenCLDevice {
    package func uncompiledPrograms(of plans: [RenderPlan]) -> [ProgramSource] {
        guard keepsPrograms else { return [] }
        var seen: Set<ProgramSource> = []
        return plans.flatMap { plan in
            ((try? PlannedProgram.programs(of: plan)) ?? []).sorted { $0.name < $1.name }.map(\.source)
        }.filter { seen.insert($0).inserted && !isCompiled($0) }
    }

    /// Compiles programs into the cache, for other processes. A failure is left to the one that needs the program.
    package func compile(_ sources: [ProgramSource]) {
        for source in sources { _ = try? program(source) }
    }
}
