import Foundation
import TintypeImaging
import TintypeRendering

/// The renders that one connection asks for, one after the other.
// @unchecked: used on its own thread only.
final class ServerConnection: @unchecked Sendable {
    private let socket: MessageSocket
    private let devices: [any HostedDevice]
    private let blocks: SharedBlocks
    /// When the client last heard of this process.
    private var lastWord = ContinuousClock.now
    /// Marks the programs of the last render as proven.
    private var markProven: (() -> Void)?

    init(_ socket: MessageSocket, _ devices: [any HostedDevice], _ blocks: SharedBlocks) {
        self.socket = socket
        self.devices = devices
        self.blocks = blocks
    }

    func serve() {
        // Blocks whose end the client has been told of.
        var told: [Int] = []
        defer { blocks.putBack(freed: told) }
        while let message = try? socket.receive(), let request = try? message.request() {
            // Whoever asks again has read the last answer.
            told = []
            do {
                guard let answer = try answer(to: request) else { continue }
                if case .done(let freed) = answer { told = freed }
                try socket.send(answer)
            } catch let error as DeviceError {
                guard (try? socket.send(.failed(error))) != nil else { return }
            } catch is OutOfMemory {
                guard (try? socket.send(.failed(.outOfMemory))) != nil else { return }
            } catch {
                return
            }
        }
    }

    /// - Returns: nil if there is nothing to say.
    private func answer(to request: Request) throws -> Answer? {
        switch request {
        case .render(let device, let proven, let plan):
            lastWord = .now
            let link = ClientLink(socket, blocks)
            markProven = try hosted(device).renderUntested(
                plan, from: ClientSource(plan, link), to: ClientSink(plan, output: 0, link),
                onlyProven: proven, waitForUse: link.waitForUse, isCancelled: hasLostClient)
            return markProven == nil ? .unproven : .done(freed: blocks.takeFreed())
        case .proven:
            markProven?()
            return nil
        case .offer(let device, let work):
            return .offer(try hosted(device).abilities.coding?.offer(for: work))
        case .code(let device, let work):
            guard let coding = try hosted(device).abilities.coding else { throw ConnectionLost() }
            lastWord = .now
            let link = ClientLink(socket, blocks), outputs = link.outputs(of: work)
            do {
                try coding.render(outputs, from: link.input(of: work), isCancelled: hasLostClient)
            } catch is IrregularImage {
                return .irregular
            }
            // Of sinks that have no memory to pass strips on.
            if let failure = outputs.lazy.compactMap(\.failure).first { throw failure }
            return .done(freed: blocks.takeFreed())
        case .uncompiled(let device, let plans):
            return .programs(try hosted(device).abilities.precompiling?.uncompiledPrograms(of: plans) ?? [])
        case .compile(let device, let sources):
            try hosted(device).abilities.precompiling?.compile(sources)
            return .done(freed: [])
        case .search, .connect, .filled, .filledBytes, .taken: throw ConnectionLost()
        }
    }

    private func hosted(_ index: Int) throws(ConnectionLost) -> any HostedDevice {
        guard devices.indices.contains(index) else { throw ConnectionLost() }
        return devices[index]
    }

    /// Called about ten times a second, while a device works. The client sends nothing then: a message is the stream's end.
    private func hasLostClient() -> Bool {
        if socket.hasMessage(within: 0) { return true }
        let now = ContinuousClock.now
        guard lastWord.duration(to: now) > DriverServer.timeBetweenWords else { return false }
        lastWord = now
        return (try? socket.send(.busy)) == nil
    }
}

extension DeviceError {
    fileprivate static var outOfMemory: DeviceError {
        .outOfResources(call: "an allocation of memory for strips", device: "OpenCL")
    }
}
