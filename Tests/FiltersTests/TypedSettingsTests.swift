import Testing
import TintypeFilterPictures
import TintypeImaging
import TintypeStages

@testable import TintypeFilters

/// Settings that a program gave to filters, without a text.
struct TypedSettingsTests {
    @Test(arguments: FilterCatalog.all.map { $0.name })
    func noSettingOutsideOfItsRangeIsRendered(name: String) throws {
        try refuseWrongSettings(of: FilterCatalog.filter(named: name))
    }

    private func refuseWrongSettings<F: Filter>(of filter: F) throws {
        for parameter in filter.parameters {
            guard case .numbers(let range, _) = parameter.values else { continue }
            var filter = filter
            for value in Self.wrongValues(of: range) {
                switch parameter.property {
                case .number(let path): filter[keyPath: path] = value
                case .length(let path): filter[keyPath: path] = .pixels(value)
                case .other: Issue.record("\(parameter.name) is not checked")
                }
                expectRefusal(of: filter, parameter)
            }
            guard case .length(let path) = parameter.property else { continue }
            for value in Self.wrongValues(of: 0...1) {
                filter[keyPath: path] = .fractionOfHeight(value)
                expectRefusal(of: filter, parameter)
            }
        }
    }

    private static func wrongValues(of range: ClosedRange<Float>) -> [Float] {
        [
            .nan, .infinity, -.infinity, range.lowerBound.nextDown, range.upperBound.nextUp,
            -.greatestFiniteMagnitude, .greatestFiniteMagnitude,
        ]
    }

    /// The sentence is that of the text form, and a plan that is made all the same fails on a device.
    private func expectRefusal<F: Filter>(of filter: F, _ parameter: Parameter<F>) {
        let chain = FilterChain([filter]), text = parameter.text(in: filter)
        let error = #expect(throws: FilterError.self) { try chain.check() }
        let parsed = #expect(throws: FilterError.self) {
            try FilterChain(parsing: ["\(filter.name):\(parameter.name)=\(text)"])
        }
        #expect(error == parsed, "\(parameter.name) \(text)")
        for photo in [PhotoGeometry(width: 1, height: 1), PhotoGeometry(width: 70, height: 40)] {
            let stages = chain.stages(for: photo)
            guard case .point(let stage) = stages.first else {
                Issue.record("\(parameter.name) \(text) has stages")
                return
            }
            #expect(throws: PointKernelError.wrongSetting(error?.description ?? "")) { try stage.floats() }
        }
    }

    @Test(arguments: FilterCatalog.all.map { $0.name })
    func theEndsOfRangesAreAccepted(name: String) throws {
        func check<F: Filter>(_ filter: F) throws {
            try filter.checkSettings()
            for parameter in filter.parameters {
                guard case .numbers(let range, _) = parameter.values else { continue }
                var filter = filter
                for value in [range.lowerBound, range.upperBound] {
                    switch parameter.property {
                    case .number(let path): filter[keyPath: path] = value
                    case .length(let path): filter[keyPath: path] = .pixels(value)
                    case .other: break
                    }
                    #expect(throws: Never.self) { try parameter.check(in: filter) }
                }
            }
        }
        try check(FilterCatalog.filter(named: name))
    }

    @Test func settingsThatDoNotFitTogetherAreRefused() {
        var resize = Resize()
        resize.fit = .fill
        #expect(throws: FilterError.self) { try FilterChain([Sepia(), resize]).check() }
        #expect(
            throws: FilterError.outOfRange(filter: "sepia", parameter: "intensity", range: 0...1, text: "7")
        ) {
            try FilterChain([Sepia(intensity: 7)]).check()
        }
    }
}
