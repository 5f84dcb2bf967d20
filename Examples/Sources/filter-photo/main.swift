// Filters one photo: filter-photo IN OUT
import Foundation
import Tintype

guard CommandLine.arguments.count == 3 else {
    print("usage: filter-photo IN OUT")
    exit(2)
}
let photo = try EncodedImage(path: CommandLine.arguments[1])
let filtered = try await photo.filtered(by: [Sepia(intensity: 0.6), TiltShift()], on: .automatic)
try filtered.write(to: CommandLine.arguments[2])
