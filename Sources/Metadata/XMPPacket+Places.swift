extension XMPPacket {
    /// A copy for an output that shows the photo in another frame: see `PhotoMetadata.moved(by:)`.
    ///
    /// - Parameter lost: gets the places that are left out.
    /// - Returns: nil if nothing changes, or if the packet is malformed or exceeds the limits of `XMPWalk`.
    func moved(by change: FrameChange, _ lost: inout Set<PlaceInPhoto>) -> [UInt8]? {
        let start = XMPWalk(
            bytes: bytes,
            isRemoved: { $0.isInPixels || !change.keepsShares && $0.place != nil },
            isEdited: { $0.holdsRegions || change.swapsAxes && $0.densityOfOtherAxis != nil })
        guard let walk = walk(start, Self.signsOfPlaces) else { return nil }
        lost.formUnion(walk.removed.compactMap(\.name.place))
        var regions = XMPRegions(bytes: bytes, change: change)
        for (name, property) in walk.edited where name.holdsRegions {
            regions.move(name, property, isComplete: walk.isComplete)
        }
        // Regions are structures.
        let malformed = walk.editedAttributes.filter { $0.name.holdsRegions }.map {
            Edit.cut($0.attribute.range)
        }
        if regions.hasLoss || !malformed.isEmpty { lost.insert(.region) }
        let edits = regions.edits + malformed + swappedDensities(walk)
        return walk.cuts.isEmpty && edits.isEmpty ? nil : editing(walk, edits)
    }

    /// For columns that become rows.
    private func swappedDensities(_ walk: XMPWalk) -> [Edit] {
        var values: [Name: Range<Int>] = [:]
        for (name, property) in walk.edited { values[name] = property.content }
        for (name, attribute) in walk.editedAttributes { values[name] = attribute.value }
        return values.compactMap { name, range in
            guard let other = name.densityOfOtherAxis,
                let value = values[Name(namespace: name.namespace, local: other)]
            else { return nil }
            return Edit(range: range, text: text(value))
        }
    }
}
