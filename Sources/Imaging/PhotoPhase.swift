/// What the thread that works on a photo does.
public enum PhotoPhase: Int, CaseIterable, Sendable {
    /// It opens and reads the photo's file.
    case read
    /// It parses headers and plans, and does all that has no phase of its own.
    case plan
    /// It decodes, filters and encodes on the CPU.
    case host
    /// It queues the commands of a photo that an OpenCL device codes. With a driver process, that belongs to `device`.
    case queue
    /// It waits for the device.
    case device
    /// It creates, writes and names the output's file, or sends the object.
    case write
    /// It computes the hashes that the journal keeps.
    case hash
    /// It waits until the output's file is on the disk.
    case sync
    /// It claims outputs and writes receipts, or asks a bucket's server.
    case journal
    /// It waits for its turn: for a worker, for memory, or for threads that help.
    case wait

    /// The name in reports.
    public var name: String { "\(self)" }
}
