/// What a C compiler says of a kernel.
struct CompilerLog {
    /// The compiler's messages, and what its advice is replaced by.
    let text: String

    init(_ bytes: [UInt8]) {
        let lines = String(decoding: bytes, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
        guard lines.contains(where: Self.isOfUnknownFunction) else {
            text = lines.joined(separator: "\n")
            return
        }
        var isAdvice = false
        let rest = lines.filter { line in
            // The lines of code below a message are indented.
            if line.first?.isWhitespace != true { isAdvice = Self.isAdvice(line) }
            return !isAdvice
        }
        text = rest.joined(separator: "\n").trimmed + "\n" + Self.ownAdvice
    }

    private static func isOfUnknownFunction(_ line: Substring) -> Bool {
        ["implicit declaration of function", "call to undeclared"].contains { line.contains($0) }
    }

    /// To include a header of C, which a kernel cannot, and what follows from doing without.
    private static func isAdvice(_ line: Substring) -> Bool {
        ["note: include ", "incompatible implicit declaration", "warnings being treated as errors"]
            .contains { line.contains($0) }
    }

    private static let ownAdvice = """
        A kernel has its own functions and those of Tintype, such as luma_709 and linear_value, but none of C or OpenCL, \
        such as sqrt or pow: their results differ between devices. Write it with + - *, comparisons, casts and arrays.
        """
}
