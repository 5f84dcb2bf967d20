import TintypeCodecs
import TintypeFiles

extension ContentHash: ByteObserver {}
