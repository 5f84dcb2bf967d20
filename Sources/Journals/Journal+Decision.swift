import Files
import Foundation
import SystemPackage

extension Journal {
    /// A photo that may be worked on, or why not.
    public enum Admission: Sendable {
        /// To be done, by whoever has the claim. `reason` tells whether the output is replaced.
        case work(OutputClaim, JournalDecision.Reason)
        /// `upToDate`, `refused` or `claimedByOther`.
        case skip(JournalDecision)
    }

    /// Claims an output and decides what to do about it, so that nothing can come in between.
    ///
    /// - Parameter overwrites: whether whatever has the output's name is to be replaced, unless it is what
    ///   this recipe has made of this input.
    public func admit(
        _ input: InputIdentity, recipe: String, output: String, overwrites: Bool = false
    ) throws(JournalError) -> Admission {
        guard let claim = try claim(output) else { return .skip(.claimedByOther) }
        var known = try receipts(for: output)
        if known.latest?.state == .publishing {
            try settle(output)
            known = try receipts(for: output)
        }
        let decision = JournalDecision(
            for: input, recipe: recipe, path: path(of: output), known.latest, known.done)
        switch decision {
        case .redo(let reason): return .work(claim, reason)
        case .refused where overwrites: return .work(claim, .new)
        case .upToDate, .refused, .claimedByOther: return .skip(decision)
        }
    }

    /// What is to be done, without a claim: out of date as soon as another process works on the folder.
    ///
    /// - Parameter input: its hash is read from its file where size and time leave doubt. An address without
    ///   a validator counts as unchanged: whether it is, only its server could say.
    public func decision(
        for input: InputIdentity, recipe: String, output: String
    ) throws(JournalError) -> JournalDecision {
        let (latest, done) = try receipts(for: output)
        return JournalDecision(for: input, recipe: recipe, path: path(of: output), latest, done)
    }

    /// Settles what every dead run has left. What a living one is publishing is left to it.
    func settleAll() throws(JournalError) {
        for receipt in try receipts(in: .publishing) {
            if let claim = try claim(receipt.output) { try settle(claim.output) }
        }
    }

    /// Where a run died between announcing an output and saying that it is done: looks whether the output is
    /// there, says so in its place, and removes the temporary file.
    ///
    /// - Returns: whether the output is there.
    /// - Precondition: the caller has the output's claim.
    @discardableResult
    package func settle(_ output: String) throws(JournalError) -> Bool {
        guard var receipt = try receipts(for: output).latest, receipt.state == .publishing else {
            return false
        }
        let path = path(of: output)
        if let file = receipt.file, let status = try? Stat(link: path), file.hasContent(of: status, path) {
            receipt.state = .done
            receipt.file?.modified = status.modified
            receipt.isRecovered = true
            receipt.time = Date().timeIntervalSince1970
        }
        let temporary = receipt.temporary
        receipt.temporary = nil
        if receipt.state == .done { try append(receipt) }
        if let temporary, !temporary.split(separator: "/").contains("..") {
            StrayFiles.removeIfUnowned(self.path(of: temporary))
        }
        return receipt.state == .done
    }
}

extension JournalDecision {
    /// - Parameters:
    ///   - path: of the output, as it is found.
    ///   - latest: the output's last receipt.
    ///   - done: the last one that says `done`.
    init(for input: InputIdentity, recipe: String, path: String, _ latest: Receipt?, _ done: Receipt?) {
        // The link itself, not what it leads to: a link to nothing is in the way too.
        guard let status = try? Stat(link: path) else {
            self =
                if latest?.state == .failed {
                    .redo(.failedBefore(latest?.error ?? ""))
                } else {
                    .redo(done == nil ? .new : .outputMissing)
                }
            return
        }
        self =
            if let done, let file = done.file {
                if !file.matches(status, path) {
                    .refused(.modified)
                } else if done.recipe != recipe {
                    .refused(.otherRecipe(done.recipe))
                } else if input.isSame(as: done.input) {
                    .upToDate(done)
                } else if input.location == done.input.location {
                    .redo(.inputChanged)
                } else {
                    .refused(.otherInput(done.input.location))
                }
            } else {
                .refused(.notOurs)
            }
    }
}

extension FileFingerprint {
    /// Whether a file is still the one that was written. Only where size and time leave doubt are its bytes
    /// read.
    fileprivate func matches(_ status: Stat, _ path: String) -> Bool {
        guard status.isRegularFile, status.byteCount == byteCount else { return false }
        return status.modified == modified || ContentHash.ofFile(path) == sha256
    }

    fileprivate func hasContent(of status: Stat, _ path: String) -> Bool {
        status.isRegularFile && status.byteCount == byteCount && ContentHash.ofFile(path) == sha256
    }
}

extension InputIdentity {
    /// Whether this is the input that a receipt speaks of, in the same state.
    fileprivate func isSame(as receipt: InputIdentity) -> Bool {
        if let sha256, let known = receipt.sha256 { return sha256 == known }
        if location == receipt.location {
            if byteCount == nil, modified == nil {
                return validator == nil || validator == receipt.validator
            }
            if modified != nil, byteCount == receipt.byteCount, modified == receipt.modified { return true }
        }
        // Touched, copied or moved: the bytes decide.
        guard modified != nil, byteCount == receipt.byteCount, let known = receipt.sha256 else {
            return false
        }
        return ContentHash.ofFile(location) == known
    }
}
