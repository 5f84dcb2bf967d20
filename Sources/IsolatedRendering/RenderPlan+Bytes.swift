import TintypeImaging
import TintypeRendering
import TintypeStages

extension RenderPlan {
    func write(to writer: inout ByteWriter) {
        writer.put(geometry)
        writer.put(input)
        writer.put(output)
        writer.put(list: stages) { $0.put($1) }
    }

    init(from reader: inout ByteReader) throws(MalformedMessage) {
        let geometry = try reader.takeGeometry()
        let input = try reader.takeLayout(), output = try reader.takeLayout()
        let stages = try reader.takeList { (reader) throws(MalformedMessage) in try reader.takeStage() }
        self.init(stages, for: geometry, input: input, output: output)
    }
}

extension ByteWriter {
    mutating func put(_ geometry: PhotoGeometry) {
        put(geometry.width)
        put(geometry.height)
        put(geometry.orientation.rawValue)
    }

    mutating func put(_ layout: PixelLayout) {
        switch layout {
        case .interleaved(let channels, let depth):
            put(true)
            put(channels.rawValue)
            put(depth.rawValue)
        case .yCbCr(let subsampling):
            put(false)
            put(subsampling.horizontal)
            put(subsampling.vertical)
        }
    }

    fileprivate mutating func put(_ stage: Stage) {
        switch stage {
        case .point(let function):
            put(UInt8(0))
            put(function)
        case .window(let function):
            put(UInt8(1))
            put(function)
        case .blur(let blur):
            put(UInt8(2))
            put(blur)
        case .resample(let resampling):
            put(UInt8(3))
            put(resampling.columns)
            put(resampling.rows)
        }
    }

    private mutating func put(_ stage: PointStage) {
        put(text: stage.kernel.name)
        put(optional: stage.problem) { $0.put(text: $1) }
        put(optional: stage.kernel.code) {
            $0.put(text: $1.text)
            $0.put(text: $1.path)
        }
        put(list: Array(stage.arguments)) { writer, argument in
            writer.put(text: argument.key)
            switch argument.value {
            case .value(let value):
                writer.put(true)
                writer.put(value)
            case .table(let values):
                writer.put(false)
                writer.put(array: values)
            }
        }
        put(stage.colourEffect)
        put(optional: stage.area) { writer, area in
            for bound in [area.x.lowerBound, area.x.upperBound, area.y.lowerBound, area.y.upperBound] {
                writer.put(bound)
            }
        }
    }

    private mutating func put(_ effect: PointStage.ColourEffect) {
        switch effect {
        case .keepsGrey: put(UInt8(0))
        case .makesGrey: put(UInt8(1))
        case .makesColour: put(UInt8(2))
        }
    }

    private mutating func put(_ blur: MaskedBlur) {
        put(blur.axis == .rows)
        put(list: blur.parts) { writer, part in
            writer.put(part.gaussian)
            writer.put(array: part.mask)
        }
        put(array: blur.mask)
        put(optional: blur.blend) { $0.put($1) }
        put(array: blur.sigmas)
    }

    private mutating func put(_ gaussian: Gaussian) {
        put(gaussian.factor)
        put(array: gaussian.steps)
        put(list: gaussian.kernels) { $0.put(array: $1) }
        put(optional: gaussian.kernelOfPlace) { $0.put(array: $1) }
        put(array: gaussian.upsampleWeights)
    }

    private mutating func put(_ axis: ResamplingAxis) {
        put(axis.sourceCount)
        put(axis.range.lowerBound)
        put(axis.range.upperBound)
        put(axis.count)
        put(text: axis.kernel.rawValue)
        put(axis.tapCount)
        put(array: axis.starts)
        put(array: axis.weights)
    }
}

extension ByteReader {
    mutating func takeGeometry() throws(MalformedMessage) -> PhotoGeometry {
        let width = try take(Int.self), height = try take(Int.self)
        guard width > 0, height > 0, let orientation = Orientation(rawValue: try take()) else {
            throw MalformedMessage()
        }
        return PhotoGeometry(width: width, height: height, orientation: orientation)
    }

    mutating func takeLayout() throws(MalformedMessage) -> PixelLayout {
        let isInterleaved = try takeBool(), first = try take(Int.self), second = try take(Int.self)
        if isInterleaved {
            guard let channels = PixelLayout.Channels(rawValue: first),
                let depth = PixelLayout.SampleDepth(rawValue: second)
            else { throw MalformedMessage() }
            return .interleaved(channels, depth)
        }
        guard let subsampling = ChromaSubsampling(horizontal: first, vertical: second) else {
            throw MalformedMessage()
        }
        return .yCbCr(subsampling)
    }

    fileprivate mutating func takeStage() throws(MalformedMessage) -> Stage {
        switch try take(UInt8.self) {
        case 0: return .point(try takePointStage())
        case 1: return .window(try takePointStage())
        case 2: return .blur(try takeBlur())
        case 3: return .resample(Resampling(columns: try takeAxis(), rows: try takeAxis()))
        default: throw MalformedMessage()
        }
    }

    private mutating func takePointStage() throws(MalformedMessage) -> PointStage {
        let name = try takeText()
        let problem = try takeOptional { (reader) throws(MalformedMessage) in try reader.takeText() }
        let code = try takeOptional { (reader) throws(MalformedMessage) in
            // Only devices' drivers compile it here.
            KernelCode(text: try reader.takeText(), path: try reader.takeText()) {
                (_, _) throws(PointKernelError) in throw .unknown(kernel: name)
            }
        }
        let arguments = try takeList { (reader) throws(MalformedMessage) in
            let name = try reader.takeText()
            let value: PointArgument =
                try reader.takeBool() ? .value(try reader.take()) : .table(try reader.takeArray())
            return (name, value)
        }
        let effect: PointStage.ColourEffect
        switch try take(UInt8.self) {
        case 0: effect = .keepsGrey
        case 1: effect = .makesGrey
        case 2: effect = .makesColour
        default: throw MalformedMessage()
        }
        let area = try takeOptional { (reader) throws(MalformedMessage) in
            ShownArea(x: try reader.takeRange(), y: try reader.takeRange())
        }
        if let problem { return PointStage(failing: problem, kernel: name) }
        return PointStage(
            PointKernel(name, code), Dictionary(arguments) { first, _ in first }, colourEffect: effect,
            area: area
        )
    }

    private mutating func takeRange<Bound: BitwiseCopyable & Comparable>()
        throws(MalformedMessage) -> Range<Bound>
    {
        let lower = try take(Bound.self), upper = try take(Bound.self)
        guard lower <= upper else { throw MalformedMessage() }
        return lower..<upper
    }

    private mutating func takeBlur() throws(MalformedMessage) -> MaskedBlur {
        let axis: MaskedBlur.Axis = try takeBool() ? .rows : .columns
        let parts = try takeList { (reader) throws(MalformedMessage) in
            MaskedBlur.Part(gaussian: try reader.takeGaussian(), mask: try reader.takeArray())
        }
        let mask = try takeArray(Float.self)
        let blend = try takeOptional { (reader) throws(MalformedMessage) in try reader.takePointStage() }
        return MaskedBlur(axis: axis, parts: parts, mask: mask, blend: blend, sigmas: try takeArray())
    }

    private mutating func takeGaussian() throws(MalformedMessage) -> Gaussian {
        Gaussian(
            factor: try take(), steps: try takeArray(),
            kernels: try takeList { (reader) throws(MalformedMessage) in try reader.takeArray() },
            kernelOfPlace: try takeOptional { (reader) throws(MalformedMessage) in try reader.takeArray() },
            upsampleWeights: try takeArray())
    }

    private mutating func takeAxis() throws(MalformedMessage) -> ResamplingAxis {
        let sourceCount = try take(Int.self), range: Range<Double> = try takeRange()
        let count = try take(Int.self)
        guard let kernel = ResamplingKernel(rawValue: try takeText()) else { throw MalformedMessage() }
        return ResamplingAxis(
            sourceCount: sourceCount, range: range, count: count, kernel: kernel, tapCount: try take(),
            starts: try takeArray(), weights: try takeArray())
    }
}
