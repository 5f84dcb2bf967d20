// Writes the OpenCL programs of the conformance cases into a folder, for scripts/gpu-code, which compiles them for GPUs.
// `index.json` lists them.
//
// Usage: kernel-programs FOLDER [all]      without `all`: of the layouts and chains of `conformance --quick`
import Foundation
import TintypeCompute
import TintypeOpenCLRendering

struct Index: Encodable {
    struct Program: Encodable {
        let name: String
        let file: String
        let blockPixels: Int?
    }

    let options: String
    let programs: [Program]
}

/// Each program once. Names tell programs apart.
func programs(_ scope: Conformance.Scope) throws -> [PlannedProgram] {
    var programs: [String: PlannedProgram] = [:]
    for layout in Conformance.layouts {
        for test in Conformance.cases(over: layout, scope) {
            for program in try PlannedProgram.programs(of: test.plan) {
                let known = programs.updateValue(program, forKey: program.name)
                guard known == nil || known == program else {
                    throw CocoaError(.featureUnsupported, userInfo: [NSLocalizedDescriptionKey: program.name])
                }
            }
        }
    }
    for program in PlannedProgram.ofCodec { programs[program.name] = program }
    return programs.values.sorted { $0.name < $1.name }
}

func run() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 2 || arguments.count == 3 && arguments[2] == "all" else {
        FileHandle.standardError.write(Data("usage: kernel-programs FOLDER [all]\n".utf8))
        exit(2)
    }
    let folder = URL(fileURLWithPath: arguments[1], isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let found = try programs(arguments.count == 3 ? .full : .quick)
    let listed = try found.enumerated().map { number, program in
        let file = "\(number).cl"
        try Data(program.text.utf8).write(to: folder.appendingPathComponent(file))
        return Index.Program(name: program.name, file: file, blockPixels: program.blockPixels)
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try encoder.encode(Index(options: PlannedProgram.options, programs: listed))
        .write(to: folder.appendingPathComponent("index.json"))
}

try run()
