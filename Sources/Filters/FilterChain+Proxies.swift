import TintypeImaging

// Filters for small copies of photos, which are filtered in milliseconds while somebody moves a slider.

extension FilterChain {
    /// The filters for a smaller copy of a photo, with sizes that fit: each filter's lengths are scaled by what the copy is of
    /// the photo at its place in the chain. A resize does not make the copy smaller than it is already.
    package func fitted(from photo: PhotoGeometry, to copy: PhotoGeometry) -> FilterChain {
        var photo = photo, copy = copy, fitted = FilterChain([])
        for filter in filters {
            let result = filter.stages(for: photo).result(of: photo)
            let share = Double(copy.longSide) / Double(photo.longSide)
            let own: any Filter =
                (filter as? Resize).map { $0.fitted(to: result.upright, atMost: copy.longSide) }
                ?? filter.scaled(by: share)
            copy = own.stages(for: copy).result(of: copy)
            photo = result
            fitted.append(own)
        }
        return fitted
    }

    /// The names of filters that need a photo's own pixels to show what they do, each once: a smaller copy has none of its noise,
    /// and no detail of a pixel's size.
    ///
    /// - Parameter share: the copy's sides divided by the photo's, in 0...1.
    package func needingPixels(of photo: PhotoGeometry, at share: Double) -> [String] {
        guard share < 1 else { return [] }
        var photo = photo, names: [String] = []
        for filter in filters {
            let height = photo.upright.height, stages = filter.stages(for: photo)
            if let detail = filter.finestDetail, detail.pixels(inHeight: height) * share < 1,
                !stages.isEmpty, !names.contains(filter.name)
            {
                names.append(filter.name)
            }
            photo = stages.result(of: photo)
        }
        return names
    }
}

extension Filter {
    /// The filter for a smaller copy of a photo: what it does is the same share of it. Lengths in pixels get smaller as the photo
    /// does; shares and percentages stay.
    ///
    /// - Parameter share: the copy's sides divided by the photo's, in 0...1.
    package func scaled(by share: Double) -> Self {
        var filter = self
        for parameter in parameters { parameter.scale(in: &filter, by: share) }
        return filter
    }
}

extension Parameter {
    /// Makes a length in pixels smaller, down to the least that the parameter takes.
    fileprivate func scale(in owner: inout Owner, by share: Double) {
        guard case .numbers(let range, let unit) = values else { return }
        switch property {
        case .length(let path):
            owner[keyPath: path] = owner[keyPath: path].scaled(by: share).clamped(to: range)
        case .number(let path) where unit == .pixels && owner[keyPath: path] > 0:
            // A side; 0 is none.
            let side = Float((Double(owner[keyPath: path]) * share).rounded())
            owner[keyPath: path] = min(max(side, range.lowerBound, 1), range.upperBound)
        default: break
        }
    }
}

extension Length {
    fileprivate func clamped(to range: ClosedRange<Float>) -> Length {
        guard case .pixels(let pixels) = self else { return self }
        return .pixels(min(max(pixels, range.lowerBound), range.upperBound))
    }
}
