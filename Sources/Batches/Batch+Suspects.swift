import TintypeJournals
import TintypeOperations

/// Outputs that may be wrong, because their device was found to give wrong pixels.
extension Batch {
    /// How often the journal is asked to take what it does not know yet. Chosen by eye.
    private static let suspectLooks = 10

    /// Makes outputs again that may be wrong, or finishes the run if there are none.
    func remakeOrFinish() {
        noteSuspects()
        // Another process may hold a claim for a moment, or a full disk may get room again.
        if !isStopped, !suspects.unrecorded.isEmpty, suspects.lookCount < Self.suspectLooks {
            suspects.lookCount += 1
            return lookLater { [self] in remakeOrFinish() }
        }
        let items =
            isStopped || !settings.devices.isUsable
            ? [] : suspects.remake(jobs.indices, at: { job($0).output }, except: elsewhere)
        guard !items.isEmpty else { return finish() }
        suspects.lookCount = 0
        isRemaking = true
        work(on: items)
    }

    /// Learns of outputs that may be wrong, and records them in the journal: the next run makes them again if this one is
    /// ended before.
    func noteSuspects() {
        for (device, outputs) in settings.devices.takeSuspectOutputs() {
            suspects.add(outputs, of: device, areRecorded: settings.journal != nil)
            events.suspects(device, outputs)
        }
        guard let journal = settings.journal, !suspects.unrecorded.isEmpty else { return }
        do {
            try suspects.record(in: journal)
        } catch {
            // It is tried again.
            guard !suspects.hasWarned else { return }
            suspects.hasWarned = true
            settings.logger.warning("The journal does not say yet which outputs may be wrong. \(error)")
        }
    }
}
