import Glibc

/// A resource limit of the process, see getrlimit(2) and `ulimit`.
struct ResourceLimit {
    static let addressSpace = ResourceLimit(RLIMIT_AS)
    static let openFiles = ResourceLimit(RLIMIT_NOFILE)
    static let stack = ResourceLimit(RLIMIT_STACK)

    private let resource: __rlimit_resource_t

    private init(_ resource: __rlimit_resource) { self.resource = __rlimit_resource_t(resource.rawValue) }

    /// The limit in force; nil without a limit.
    var soft: Int? { limits.flatMap { Self.count($0.rlim_cur) } }

    /// Raises the soft limit to the hard limit, which needs no privileges.
    func raise() {
        guard var limits, limits.rlim_cur < limits.rlim_max else { return }
        limits.rlim_cur = limits.rlim_max
        setrlimit(resource, &limits)
    }

    private var limits: rlimit? {
        var limits = rlimit()
        return getrlimit(resource, &limits) == 0 ? limits : nil
    }

    private static func count(_ value: rlim_t) -> Int? {
        value == rlim_t(bitPattern: -1) ? nil : Int(clamping: value)
    }
}
