extension ColourTable {
    /// A larger cube costs memory, on each device and for each photo at work: 256 entries an axis take 200 MB.
    private static let usualSize = 65

    /// The cube with fewer entries, if no node of it changes by more than 1 of 255, else the table as it is.
    func inUsualSize() -> ColourTable {
        guard shape == .cube, size > Self.usualSize else { return self }
        let smaller = resampled(to: Self.usualSize)
        return smaller.isWithinAStep(of: self) ? smaller : self
    }

    private func resampled(to count: Int) -> ColourTable {
        var values: [Float] = []
        values.reserveCapacity(3 * count * count * count)
        let places = Self.places(count, in: size)
        for blue in places {
            for green in places {
                for red in places {
                    let value = colour(red, green, blue)
                    values.append(value.x)
                    values.append(value.y)
                    values.append(value.z)
                }
            }
        }
        return ColourTable(.cube, size: count, minimum: minimum, maximum: maximum, values: values)
    }

    private func isWithinAStep(of larger: ColourTable) -> Bool {
        let places = Self.places(larger.size, in: size)
        let step = SIMD3<Float>(repeating: 1.0 / 255)
        var index = 0
        for blue in places {
            for green in places {
                for red in places {
                    let change = larger.node(index) - colour(red, green, blue)
                    guard all(change .<= step), all(change .>= -step) else { return false }
                    index += 1
                }
            }
        }
        return true
    }

    /// A place on an axis: the entry before it, and the share of the next one.
    private typealias Place = (entry: Int, share: Float)

    /// The places of `count` entries among `size` others.
    private static func places(_ count: Int, in size: Int) -> [Place] {
        (0..<count).map { index in
            let place = Double(index * (size - 1)) / Double(count - 1), entry = min(Int(place), size - 2)
            return (entry, Float(place - Double(entry)))
        }
    }

    private func node(_ index: Int) -> SIMD3<Float> {
        SIMD3(values[3 * index], values[3 * index + 1], values[3 * index + 2])
    }

    /// As `lut_3d.cl` interpolates: from the node before to the one after it, along the axis with the greatest share first.
    private func colour(_ red: Place, _ green: Place, _ blue: Place) -> SIMD3<Float> {
        let r = (share: red.share, step: 1), g = (share: green.share, step: size)
        let b = (share: blue.share, step: size * size)
        let (more, less) = g.share > r.share ? (g, r) : (r, g)
        let bluesFirst = b.share > more.share, bluesLast = b.share <= less.share
        let first = bluesFirst ? b : more, third = bluesLast ? b : less
        let second = bluesFirst ? more : bluesLast ? less : b

        let start = red.entry + size * (green.entry + size * blue.entry)
        let next = start + first.step, last = next + second.step
        let nearer = (1 - first.share) * node(start) + (first.share - second.share) * node(next)
        return nearer + (second.share - third.share) * node(last) + third.share * node(last + third.step)
    }
}
