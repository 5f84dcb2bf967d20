import TintypeOpenCLRendering
import TintypeRendering

// What messages contain.

extension ByteWriter {
    mutating func put(_ source: ProgramSource) {
        put(text: source.name)
        put(text: source.text)
    }

    mutating func put(_ place: StripPlace) {
        put(place.block)
        put(place.layout)
        put(place.width)
        put(place.rowCapacity)
        put(array: place.planeOffsets)
    }

    mutating func put(_ place: BytePlace) {
        put(place.block)
        put(place.offset)
        put(place.count)
    }

    mutating func put(_ rows: Rows) {
        put(rows.first)
        put(rows.count)
        put(rows.haveBlockPadding)
    }

    mutating func put(_ device: FoundDevice) {
        for text in [device.info.identifier, device.info.kind.rawValue, device.info.name, device.info.driver]
        {
            put(text: text)
        }
        put(device.info.memoryByteCount)
        put(optional: device.info.hardware) { writer, hardware in
            for text in [hardware.pciAddress, hardware.uuid, hardware.repeats] {
                writer.put(optional: text) { $0.put(text: $1) }
            }
            writer.put(hardware.isVendorsOwn)
        }
        put(optional: device.stripMemory) { writer, memory in
            writer.put(memory.sharesHostMemory)
            writer.put(memory.pixelsPerStrip)
        }
        put(device.isCoding)
    }
}

extension ByteReader {
    mutating func takeSources() throws(MalformedMessage) -> [ProgramSource] {
        try takeList { (reader) throws(MalformedMessage) in
            ProgramSource(name: try reader.takeText(), text: try reader.takeText())
        }
    }

    mutating func takePlace() throws(MalformedMessage) -> StripPlace {
        StripPlace(
            block: try take(), layout: try takeLayout(), width: try take(), rowCapacity: try take(),
            planeOffsets: try takeArray())
    }

    mutating func takeBytePlace() throws(MalformedMessage) -> BytePlace {
        BytePlace(block: try take(), offset: try take(), count: try take())
    }

    mutating func takeRows() throws(MalformedMessage) -> Rows {
        Rows(first: try take(), count: try take(), haveBlockPadding: try takeBool())
    }

    mutating func takeDevice() throws(MalformedMessage) -> FoundDevice {
        let identifier = try takeText()
        guard let kind = DeviceInfo.Kind(rawValue: try takeText()) else { throw MalformedMessage() }
        let info = DeviceInfo(
            identifier: identifier, kind: kind, name: try takeText(), driver: try takeText(),
            memoryByteCount: try take(),
            hardware: try takeOptional { (reader) throws(MalformedMessage) in
                func text() throws(MalformedMessage) -> String? {
                    try reader.takeOptional { (reader) throws(MalformedMessage) in try reader.takeText() }
                }
                return HardwareIdentity(
                    pciAddress: try text(), uuid: try text(), repeats: try text(),
                    isVendorsOwn: try reader.takeBool())
            })
        let stripMemory = try takeOptional { (reader) throws(MalformedMessage) in
            let sharesHostMemory = try reader.takeBool()
            let pixelsPerStrip = try reader.take(Int.self)
            guard 1...1 << 31 ~= pixelsPerStrip else { throw MalformedMessage() }
            return StripMemory(sharesHostMemory: sharesHostMemory, pixelsPerStrip: pixelsPerStrip)
        }
        return FoundDevice(info: info, stripMemory: stripMemory, isCoding: try takeBool())
    }
}
