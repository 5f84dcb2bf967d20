// A list of photos that reloads row by row, on the terminal: photo-list LIST-ADDRESS
import Foundation
import Tintype

/// Prints a row whenever the session reloads it: first the photo as it was downloaded, then as it is filtered.
@MainActor final class Rows: PhotoView {
    var records: PhotoRecords?

    func reloadAll() { print("\(records?.count ?? 0) photos") }

    func reload(item: Int) {
        guard let record = records?[item] else { return }
        print("\(item)  \(record.name)  \(record.error?.description ?? "\(record.state)")")
    }
}

guard CommandLine.arguments.count == 2, let address = URL(string: CommandLine.arguments[1]) else {
    print("usage: photo-list LIST-ADDRESS")
    exit(2)
}
let downloader = try PhotoDownloader()
let steps = PhotoSteps(
    downloadingThrough: downloader, filteringThrough: PhotoPipeline(Recipe(FilterChain([Sepia()]))),
    on: try await DevicePool.make(.automatic, for: [Sepia()]))
let view = Rows()
let session = PhotoSession(steps: steps, view: view)
view.records = session.records

let activity = Task { [events = session.events] in
    for await event in events {
        if case .networkActivity(let count) = event { print("downloads: \(count)") }
    }
}
let list = try await downloader.list(at: address)
var records: [PhotoRecord] = []
while let entry = try list.next() {
    if case .url(let url) = entry.location { records.append(PhotoRecord(url: url, name: entry.name)) }
}
session.append(records)
let summary = try await session.run()
activity.cancel()
print("\(summary.filtered) filtered, \(summary.failed) failed")
