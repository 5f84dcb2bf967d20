import Foundation
import SystemPackage
import TintypeFiles

extension Journal {
    /// Whether a photo is to be filtered.
    public enum Admission: Sendable {
        /// The holder of the claim filters it. `reason` tells whether the output is replaced.
        case work(OutputClaim, JournalDecision.Reason)
        /// `upToDate`, `refused` or `claimedByOther`.
        case skip(JournalDecision)
    }

    /// Claims an output, then decides whether to filter its photo. The claim keeps other runs from the
    /// output.
    ///
    /// - Parameter overwrites: whether an existing file is replaced, unless this recipe has made it from this
    ///   input.
    public func admit(
        _ input: InputIdentity, recipe: String, own: OwnRecipe = .unknown, output: String,
        overwrites: Bool = false
    ) throws(JournalError) -> Admission {
        guard let claim = try claim(output) else { return .skip(.claimedByOther) }
        var known = try receipts(for: output)
        if known.latest?.state == .publishing {
            try settle(output)
            known = try receipts(for: output)
        }
        let decision = try JournalDecision(
            for: input, recipe: recipe, path: path(of: output), known.latest, known.done
        ).following(input, movedTrees) { doneReceipts }
            .respecting(own, known.latest, known.done)
        switch decision {
        case .redo(let reason): return .work(claim, reason)
        case .upToDate(let receipt) where overwrites && own.replaces(receipt): return .work(claim, .new)
        case .refused where overwrites: return .work(claim, .new)
        // Another run of the shard may have published it. The photo is filtered, and equal bytes are accepted.
        case .refused(.notOurs) where shard != nil, .refused(.modified) where shard != nil:
            return .work(claim, .new)
        case .upToDate, .refused, .claimedByOther: return .skip(decision)
        }
    }

    /// Decides without a claim, so another process may invalidate the decision at any time.
    ///
    /// - Parameter input: its file is hashed if size and modification time are not conclusive. An address
    ///   without a validator counts as unchanged.
    public func decision(
        for input: InputIdentity, recipe: String, own: OwnRecipe = .unknown, output: String
    ) throws(JournalError) -> JournalDecision {
        let (latest, done) = try receipts(for: output)
        return try JournalDecision(for: input, recipe: recipe, path: path(of: output), latest, done)
            .following(input, movedTrees) { doneReceipts }
            .respecting(own, latest, done)
    }

    /// Records that a complete output may be wrong, because its device gave wrong pixels later: the next run makes it
    /// again.
    ///
    /// - Returns: false while a worker has the output's claim; nothing is recorded then.
    package func markSuspect(_ output: String) throws(JournalError) -> Bool {
        guard let claim = try claim(output) else { return false }
        defer { withExtendedLifetime(claim) {} }
        var latest = try receipts(for: output).latest
        if latest?.state == .publishing, try settle(output) { latest = try receipts(for: output).latest }
        guard var receipt = latest, receipt.state == .done else { return true }
        receipt.state = .failed
        receipt.error = "Its device gave wrong pixels later, so the output may be wrong."
        receipt.isSuspect = true
        receipt.time = Date().timeIntervalSince1970
        try append(receipt)
        return true
    }

    /// Removes the empty file that reserves a name on a file system without hard links, if its run died before it had the
    /// output in its place.
    private func removeReservation(of receipt: Receipt, _ path: String) {
        guard let status = try? Stat(link: path), status.isRegularFile, status.byteCount == 0,
            // Not an older or a much later one: the receipt was written before, and then the output's data. FAT keeps times in
            // steps of 2 seconds.
            receipt.time - 3...receipt.time + 3600 ~= Double(status.modified) / 1e9
        else { return }
        unlink(path)
    }

    /// Settles all outputs that dead runs were publishing. Outputs of running processes are left to them.
    func settleAll() throws(JournalError) {
        for receipt in try receipts(in: .publishing) {
            if let claim = try claim(receipt.output) { try settle(claim.output) }
        }
    }

    /// Settles an output whose last receipt is `publishing`, because its run died: appends the `done` receipt
    /// if the output exists, and removes the temporary file.
    ///
    /// - Returns: whether the output exists.
    /// - Precondition: the caller has the output's claim.
    @discardableResult
    package func settle(_ output: String) throws(JournalError) -> Bool {
        guard var receipt = try receipts(for: output).latest, receipt.state == .publishing else {
            return false
        }
        let path = path(of: output)
        removeReservation(of: receipt, path)
        if let file = receipt.file, let status = try? Stat(link: path), file.hasContent(of: status, path) {
            receipt.state = .done
            receipt.file?.modified = status.modified
            receipt.isRecovered = true
            receipt.isSuspect = false
            receipt.time = Date().timeIntervalSince1970
        }
        let temporary = receipt.temporary
        receipt.temporary = nil
        if receipt.state == .done { try append(receipt) }
        if let temporary, !temporary.pathParts().contains("..") {
            let path = self.path(of: temporary)
            if let shard { shard.temporaries.removeIfEarlier(path) } else { StrayFiles.removeIfUnowned(path) }
        }
        return receipt.state == .done
    }
}

extension JournalDecision {
    /// - Parameters:
    ///   - path: path of the output.
    ///   - latest: the output's last receipt.
    ///   - done: the output's last `done` receipt.
    init(for input: InputIdentity, recipe: String, path: String, _ latest: Receipt?, _ done: Receipt?) {
        // The link itself, because a broken link also occupies the name.
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
                } else if done.recipe.exact != recipe.exact {
                    .refused(.otherRecipe(done.recipe))
                } else if input.isSame(as: done.input) {
                    latest?.isSuspect == true && latest != done ? .redo(.suspect) : .upToDate(done)
                } else if input.location.exact == done.input.location.exact {
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
    /// Whether a file is unchanged since it was written. It is hashed only if the sizes agree and the times
    /// differ.
    fileprivate func matches(_ status: Stat, _ path: String) -> Bool {
        guard status.isRegularFile, status.byteCount == byteCount else { return false }
        return status.modified == modified || digest.isOfFile(path)
    }

    fileprivate func hasContent(of status: Stat, _ path: String) -> Bool {
        status.isRegularFile && status.byteCount == byteCount && digest.isOfFile(path)
    }
}

extension InputIdentity {
    /// Whether this is the input of a receipt, unchanged.
    package func isSame(as receipt: InputIdentity) -> Bool {
        if let digest, let known = receipt.digest { return digest == known }
        if location.exact == receipt.location.exact {
            if byteCount == nil, modified == nil {
                return validator == nil || validator == receipt.validator
            }
            if modified != nil, byteCount == receipt.byteCount, modified == receipt.modified { return true }
        }
        // Touched, copied or moved: the bytes decide.
        guard modified != nil, byteCount == receipt.byteCount, let known = receipt.digest else {
            return false
        }
        return known.isOfFile(location)
    }
}
