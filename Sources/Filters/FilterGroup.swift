/// What a filter is for. Help lists filters by group.
public enum FilterGroup: String, CaseIterable, Encodable, Hashable, Sendable {
    /// The filter functions of CSS.
    case css
    /// As if the photo had been taken in other light.
    case light
    /// Another size, or another part of the photo.
    case size
    /// Sharpness and blur.
    case detail
    /// Styles.
    case looks
    /// Kernels that the user wrote.
    case own

    /// A heading for people.
    public var title: String {
        switch self {
        case .css: "As in CSS"
        case .light: "Light"
        case .size: "Size"
        case .detail: "Detail"
        case .looks: "Looks"
        case .own: "Your own"
        }
    }
}
