// What a program expects of the library at first sight, checked: names, pixels, files, errors. No network is needed.
import Foundation
import Tintype

let report = Report()
let folder = try Folder()

try await checkImages(report, folder)
await checkPixels(report)
await checkColours(report)
await checkNeutralSettings(report)
await checkPlaces(report)
await checkSizes(report)
try await checkChains(report)
try await checkRecipes(report)
try await checkDevices(report)
try await checkKeys(report, folder)
try await checkDownloads(report, folder)
try await checkSessions(report, folder)
try await checkLists(report, folder)
try await checkFolders(report, folder)

for failure in report.failures { print(failure) }
print("\(report.checkCount - report.failures.count) of \(report.checkCount) checks of the library hold")
folder.remove()
exit(report.failures.isEmpty ? 0 : 1)
