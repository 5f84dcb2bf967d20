/// A chain is a collection of its filters: `let chain: FilterChain = [Sepia(), TiltShift()]`.
extension FilterChain: RandomAccessCollection, RangeReplaceableCollection, MutableCollection,
    ExpressibleByArrayLiteral
{
    public var startIndex: Int { filters.startIndex }
    public var endIndex: Int { filters.endIndex }

    public subscript(index: Int) -> any Filter {
        get { filters[index] }
        set { filters[index] = newValue }
    }

    /// A chain without filters, which only converts photos.
    public init() { self.init([]) }

    public init(arrayLiteral filters: any Filter...) { self.init(filters) }

    public mutating func replaceSubrange(_ range: Range<Int>, with new: some Collection<any Filter>) {
        filters.replaceSubrange(range, with: new)
    }
}

extension FilterChain: CustomStringConvertible {
    /// The chain's `recipe`.
    public var description: String { recipe }
}
