// Makes a JPEG XL of inks, which cjxl does not make: see jxls.py.
//
// jxls WIDTH HEIGHT < SAMPLES > FILE. The samples are of four channels: cyan, magenta, yellow and black.
#include <jxl/encode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CAPACITY = 1 << 20 };

static int failed;

static void expect(JxlEncoderStatus status) { failed |= status != JXL_ENC_SUCCESS; }

int main(int count, char **arguments)
{
    if (count != 3) return 2;
    const size_t width = strtoul(arguments[1], NULL, 10), height = strtoul(arguments[2], NULL, 10);
    uint8_t *samples = malloc(width * height * 4), *colours = malloc(width * height * 3),
            *black = malloc(width * height), *file = malloc(CAPACITY);
    if (fread(samples, 4, width * height, stdin) != width * height) return 1;
    for (size_t pixel = 0; pixel < width * height; pixel++) {
        memcpy(colours + 3 * pixel, samples + 4 * pixel, 3);
        black[pixel] = samples[4 * pixel + 3];
    }
    JxlEncoder *encoder = JxlEncoderCreate(NULL);
    JxlBasicInfo info;
    JxlEncoderInitBasicInfo(&info);
    info.xsize = (uint32_t)width;
    info.ysize = (uint32_t)height;
    info.num_extra_channels = 1;
    info.uses_original_profile = JXL_TRUE;
    expect(JxlEncoderSetBasicInfo(encoder, &info));
    JxlExtraChannelInfo channel;
    JxlEncoderInitExtraChannelInfo(JXL_CHANNEL_BLACK, &channel);
    expect(JxlEncoderSetExtraChannelInfo(encoder, 0, &channel));
    expect(JxlEncoderSetCodestreamLevel(encoder, 10));
    JxlColorEncoding colour;
    JxlColorEncodingSetToSRGB(&colour, JXL_FALSE);
    expect(JxlEncoderSetColorEncoding(encoder, &colour));
    JxlEncoderFrameSettings *settings = JxlEncoderFrameSettingsCreate(encoder, NULL);
    expect(JxlEncoderSetFrameLossless(settings, JXL_TRUE));
    const JxlPixelFormat three = { 3, JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0 },
                         one = { 1, JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0 };
    expect(JxlEncoderAddImageFrame(settings, &three, colours, width * height * 3));
    expect(JxlEncoderSetExtraChannelBuffer(settings, &one, black, width * height, 0));
    JxlEncoderCloseInput(encoder);
    uint8_t *next = file;
    size_t left = CAPACITY;
    expect(JxlEncoderProcessOutput(encoder, &next, &left));
    fwrite(file, 1, CAPACITY - left, stdout);
    return failed;
}
