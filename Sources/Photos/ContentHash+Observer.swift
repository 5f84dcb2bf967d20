import Codecs
import Files

extension ContentHash: ByteObserver {}
