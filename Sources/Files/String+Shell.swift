extension String {
    /// The text as one word of a shell command.
    package var shellQuoted: String {
        let isPlain = !isEmpty && allSatisfy { $0.isLetter || $0.isNumber || "-+=:,./_@%".contains($0) }
        return isPlain ? self : "'" + replacing("'", with: "'\\''") + "'"
    }
}
