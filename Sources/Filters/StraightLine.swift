import TintypeStages

extension Stage {
    /// Each value times `slope`, plus `intercept`. The alpha stays.
    static func straightLine(slope: Float, intercept: Float) -> Stage {
        let line: [String: PointArgument] = ["slope": .value(slope), "intercept": .value(intercept)]
        return .point(PointStage("straight_line", line, colourEffect: .keepsGrey))
    }
}
