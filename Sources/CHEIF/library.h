// libheif's functions.
#ifndef CHEIF_LIBRARY_H
#define CHEIF_LIBRARY_H

#include <libheif/heif.h>

#include "CHEIF.h"

#define FUNCTIONS(FUNCTION)                                     \
    FUNCTION(heif_context_alloc)                                \
    FUNCTION(heif_context_read_from_memory_without_copy)        \
    FUNCTION(heif_context_get_primary_image_handle)             \
    FUNCTION(heif_context_set_max_decoding_threads)             \
    FUNCTION(heif_image_handle_get_width)                       \
    FUNCTION(heif_image_handle_get_height)                      \
    FUNCTION(heif_image_handle_has_alpha_channel)               \
    FUNCTION(heif_image_handle_is_premultiplied_alpha)          \
    FUNCTION(heif_image_handle_get_luma_bits_per_pixel)         \
    FUNCTION(heif_context_get_number_of_top_level_images)       \
    FUNCTION(heif_image_handle_get_list_of_auxiliary_image_IDs) \
    FUNCTION(heif_image_handle_get_auxiliary_image_handle)      \
    FUNCTION(heif_image_handle_get_auxiliary_type)              \
    FUNCTION(heif_image_handle_get_list_of_metadata_block_IDs)  \
    FUNCTION(heif_image_handle_get_metadata_type)               \
    FUNCTION(heif_image_handle_get_metadata_content_type)       \
    FUNCTION(heif_image_handle_get_metadata_size)               \
    FUNCTION(heif_image_handle_get_metadata)                    \
    FUNCTION(heif_image_handle_get_raw_color_profile_size)      \
    FUNCTION(heif_image_handle_get_raw_color_profile)           \
    FUNCTION(heif_image_handle_get_nclx_color_profile)          \
    FUNCTION(heif_decoding_options_alloc)                       \
    FUNCTION(heif_decode_image)                                 \
    FUNCTION(heif_image_get_width)                              \
    FUNCTION(heif_image_get_height)                             \
    FUNCTION(heif_image_get_bits_per_pixel_range)               \
    FUNCTION(heif_image_get_plane_readonly)                     \
    FUNCTION(heif_context_get_encoder_descriptors)              \
    FUNCTION(heif_context_get_encoder)                          \
    FUNCTION(heif_encoder_set_lossy_quality)                    \
    FUNCTION(heif_encoder_set_lossless)                         \
    FUNCTION(heif_encoder_set_parameter_integer)                \
    FUNCTION(heif_encoder_set_parameter_string)                 \
    FUNCTION(heif_image_create)                                 \
    FUNCTION(heif_image_add_plane)                              \
    FUNCTION(heif_image_get_plane)                              \
    FUNCTION(heif_image_set_raw_color_profile)                  \
    FUNCTION(heif_image_set_nclx_color_profile)                 \
    FUNCTION(heif_nclx_color_profile_alloc)                     \
    FUNCTION(heif_encoding_options_alloc)                       \
    FUNCTION(heif_context_encode_image)                         \
    FUNCTION(heif_context_add_exif_metadata)                    \
    FUNCTION(heif_context_add_XMP_metadata)                     \
    FUNCTION(heif_context_write)

// All are NULL without the library.
struct heif_library {
#define FUNCTION(name) __typeof__(name) *name;
    FUNCTIONS(FUNCTION)
#undef FUNCTION
};
extern struct heif_library heif;

// Loads the library once.
bool cheif_load(void);

// Whether an error has occurred; it is the answer then.
bool cheif_failed(struct heif_error error, struct cisolation_answer *answer);

bool cheif_encode(struct cisolation_encoding *encoding);

#endif
