// Filters the photos in a folder, with a journal: a run that is repeated does only what is missing.
// filter-folder IN OUT
import Foundation
import Tintype

guard CommandLine.arguments.count == 3 else {
    print("usage: filter-folder IN OUT")
    exit(2)
}
let (input, output) = (CommandLine.arguments[1], CommandLine.arguments[2])
let recipe = Recipe(FilterChain([Noir(contrast: 4)]))

var collector = InputCollector(outputFolder: output)
collector.collect([.path(input)])
for failure in collector.failures { print("\(failure.path): \(failure.error)") }
let planner = OutputPlanner(.folder(output), recipe: recipe, overwrites: false, hasJournal: true)
let plan = try planner.plan(for: collector.photos)
for failure in plan.failures { print("\(failure.path): \(failure.error)") }

let journal = try Journal(outputFolder: output)
try journal.claim(recipe: recipe.canonicalText)
let settings = Batch.Settings(
    through: PhotoPipeline(recipe), on: try await DevicePool.make(.automatic, for: recipe.chain.filters),
    journal: journal,
    concurrentPhotoCount: AvailableMachine.current.processorCount)

for await result in Batch.results(of: plan.jobs, settings) {
    switch result.status {
    case .done: print("\(result.job.output.path): \(result.pixelCount) pixels in \(result.duration)")
    case .skipped(let reason): print("\(result.job.output.path): \(reason)")
    case .failed(let error): print("\(result.job.photo.path): \(error)")
    }
}
