// A filter of this package, beside those of the library: own-filter CHAIN IN OUT
// Without arguments, it compares the filter's bytes on all devices.
import Filters
import Foundation
import Tintype

try FilterCatalog.register(Glow.self)

if CommandLine.arguments.count == 4 {
    let chain = try FilterChain(parsing: [CommandLine.arguments[1]])
    let photo = try EncodedImage(path: CommandLine.arguments[2])
    let filtered = try await photo.filtered(by: chain.filters, on: .automatic)
    try filtered.write(to: CommandLine.arguments[3])
} else if CommandLine.arguments.count == 1 {
    let chain = try FilterChain(parsing: ["sepia+glow:amount=80%,tint=#fc0"])
    let differences = try chain.differencesOfDevices()
    for difference in differences { print(difference) }
    print(differences.isEmpty ? "\(chain.recipe): equal bytes on all devices" : "devices differ")
    exit(differences.isEmpty ? 0 : 1)
} else {
    print("usage: own-filter CHAIN IN OUT")
    exit(2)
}
