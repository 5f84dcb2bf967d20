extension XMPPacket {
    /// A copy that says that the colours are sRGB's, in the properties that exist. Those that would need numbers are left out.
    ///
    /// - Parameter profile: the name of the output's colour profile.
    /// - Returns: nil as for `moved`.
    func inSRGB(profile: String) -> [UInt8]? {
        let start = XMPWalk(
            bytes: bytes, isRemoved: \.isColourMeaning, isEdited: { $0.isProfileName || $0.isColourSpace })
        guard let walk = walk(start, Self.signsOfColour) else { return nil }
        return editing(walk) { $0.isColourSpace ? "1" : profile }
    }

    /// A copy that names another colour profile, if it names one.
    ///
    /// - Parameter profile: the name of the output's colour profile; nil if it has none.
    /// - Returns: nil as for `moved`.
    func naming(profile: String?) -> [UInt8]? {
        let start =
            profile == nil
            ? XMPWalk(bytes: bytes, isRemoved: \.isProfileName)
            : XMPWalk(bytes: bytes, isRemoved: { _ in false }, isEdited: \.isProfileName)
        return walk(start, Self.signsOfColour).flatMap { editing($0) { _ in profile ?? "" } }
    }

    /// - Returns: nil if nothing changes.
    private func editing(_ walk: XMPWalk, values: (Name) -> String) -> [UInt8]? {
        let ranges =
            walk.edited.filter(\.element.children.isEmpty).map { ($0.name, $0.element.content) }
            + walk.editedAttributes.map { ($0.name, $0.attribute.value) }
        let edits = ranges.map { Edit(range: $1, text: values($0)) }
        return walk.cuts.isEmpty && edits.isEmpty ? nil : editing(walk, edits)
    }
}
