#include "library.h"

bool cjxl_from_jpeg(struct cisolation_recoding *recoding)
{
    struct cisolation_answer *answer = recoding->answer;
    JxlEncoder *encoder = cjxl_encoder(answer);
    if (encoder == NULL) return false;
    JxlEncoderFrameSettings *settings = jxl.JxlEncoderFrameSettingsCreate(encoder, NULL);
    if (settings == NULL || jxl.JxlEncoderUseContainer(encoder, JXL_TRUE) != JXL_ENC_SUCCESS
        || jxl.JxlEncoderStoreJPEGMetadata(encoder, JXL_TRUE) != JXL_ENC_SUCCESS)
        return cjxl_encoder_fail(encoder, answer, "keeping the JPEG");
    const struct cisolation_file *file = &recoding->file;
    if (jxl.JxlEncoderAddJPEGFrame(settings, file->bytes, file->byte_count) != JXL_ENC_SUCCESS)
        return cjxl_encoder_fail(encoder, answer, "taking the JPEG");
    recoding->result_byte_count = cjxl_encoder_finish(encoder, recoding->result, recoding->capacity, answer);
    return recoding->result_byte_count > 0;
}

bool cjxl_to_jpeg(struct cisolation_recoding *recoding)
{
    const int events = JXL_DEC_JPEG_RECONSTRUCTION | JXL_DEC_FULL_IMAGE;
    JxlDecoder *decoder = cjxl_decoder(&recoding->file, events, recoding->answer);
    if (decoder == NULL) return false;
    bool has_jpeg = false;
    for (;;) {
        const JxlDecoderStatus status = jxl.JxlDecoderProcessInput(decoder);
        if (status == JXL_DEC_JPEG_RECONSTRUCTION && !has_jpeg) {
            has_jpeg =
                jxl.JxlDecoderSetJPEGBuffer(decoder, recoding->result, recoding->capacity) == JXL_DEC_SUCCESS;
        } else if (status == JXL_DEC_FULL_IMAGE && has_jpeg) {
            recoding->result_byte_count = recoding->capacity - jxl.JxlDecoderReleaseJPEGBuffer(decoder);
            return true;
        } else {
            return cjxl_decoder_fail(status, recoding->answer);
        }
    }
}
