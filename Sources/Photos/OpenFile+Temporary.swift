import Foundation
import SystemPackage
import TintypeFiles

extension OpenFile {
    /// An unnamed file for up to `byteCount` bytes: in memory if they are few, otherwise in the temporary folder.
    static func temporary(for byteCount: Int) throws(PhotoError) -> OpenFile {
        do throws(Errno) {
            return byteCount <= SpoolFile.memoryLimit ? try inMemory() : try anonymous()
        } catch {
            throw .temporaryFile(folder: NSTemporaryDirectory(), error)
        }
    }
}
