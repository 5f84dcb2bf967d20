import CTintypeLibJPEG

/// A JPEG's quantised DCT coefficients, straight from libjpeg and not by way of the code under test.
struct Coefficients: Equatable {
    struct Component: Equatable {
        var horizontalFactor: Int
        var verticalFactor: Int
        var quantTable: [UInt16]
        /// Rows of blocks that hold pixels, 64 coefficients each.
        var blocks: [[Int16]]
    }

    var width: Int
    var height: Int
    var isProgressive: Bool
    var components: [Component]

    /// - Precondition: a valid JPEG. libjpeg's standard error manager ends the process for any other.
    init(_ jpeg: [UInt8]) {
        var errors = jpeg_error_mgr()
        var info = jpeg_decompress_struct()
        self = withUnsafeMutablePointer(to: &errors) { errors in
            info.err = jpeg_std_error(errors)
            jpeg_CreateDecompress(&info, JPEG_LIB_VERSION, MemoryLayout<jpeg_decompress_struct>.size)
            defer { jpeg_destroy_decompress(&info) }
            return jpeg.withUnsafeBufferPointer { bytes in
                jpeg_mem_src(&info, bytes.baseAddress, UInt(bytes.count))
                jpeg_read_header(&info, 1)
                return Coefficients(&info)
            }
        }
    }

    private init(_ info: inout jpeg_decompress_struct) {
        let arrays = jpeg_read_coefficients(&info)!
        width = Int(info.image_width)
        height = Int(info.image_height)
        isProgressive = info.progressive_mode != 0
        components = (0..<Int(info.num_components)).map { index in
            let component = info.comp_info[index]
            let table = component.quant_table.pointee.quantval
            let rows = (0..<component.height_in_blocks).map { row in
                let rows = withUnsafeMutablePointer(to: &info) { info in
                    info.withMemoryRebound(to: jpeg_common_struct.self, capacity: 1) {
                        info.pointee.mem.pointee.access_virt_barray($0, arrays[index], row, 1, 0)
                    }
                }
                return rows![0]!.withMemoryRebound(
                    to: Int16.self, capacity: 64 * Int(component.width_in_blocks)
                ) {
                    Array(UnsafeBufferPointer(start: $0, count: 64 * Int(component.width_in_blocks)))
                }
            }
            return Component(
                horizontalFactor: Int(component.h_samp_factor), verticalFactor: Int(component.v_samp_factor),
                quantTable: withUnsafeBytes(of: table) { Array($0.bindMemory(to: UInt16.self)) }, blocks: rows
            )
        }
    }
}
