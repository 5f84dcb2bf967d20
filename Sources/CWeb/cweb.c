// The files of the gallery's page, as bytes of the program. As arrays in Swift, they took ten seconds to compile.
#include "CWeb.h"

static const uint8_t api_js[] = {
#embed "../Gallery/Web/api.js"
};
static const uint8_t attention_js[] = {
#embed "../Gallery/Web/attention.js"
};
static const uint8_t catalog_js[] = {
#embed "../Gallery/Web/catalog.js"
};
static const uint8_t cell_js[] = {
#embed "../Gallery/Web/cell.js"
};
static const uint8_t chain_js[] = {
#embed "../Gallery/Web/chain.js"
};
static const uint8_t curve_js[] = {
#embed "../Gallery/Web/curve.js"
};
static const uint8_t divider_js[] = {
#embed "../Gallery/Web/divider.js"
};
static const uint8_t editor_js[] = {
#embed "../Gallery/Web/editor.js"
};
static const uint8_t elements_js[] = {
#embed "../Gallery/Web/elements.js"
};
static const uint8_t events_js[] = {
#embed "../Gallery/Web/events.js"
};
static const uint8_t filters_js[] = {
#embed "../Gallery/Web/filters.js"
};
static const uint8_t find_js[] = {
#embed "../Gallery/Web/find.js"
};
static const uint8_t frames_js[] = {
#embed "../Gallery/Web/frames.js"
};
static const uint8_t gallery_css[] = {
#embed "../Gallery/Web/gallery.css"
};
static const uint8_t gallery_js[] = {
#embed "../Gallery/Web/gallery.js"
};
static const uint8_t grid_js[] = {
#embed "../Gallery/Web/grid.js"
};
static const uint8_t histogram_js[] = {
#embed "../Gallery/Web/histogram.js"
};
static const uint8_t history_js[] = {
#embed "../Gallery/Web/history.js"
};
static const uint8_t icon_svg[] = {
#embed "../Gallery/Web/icon.svg"
};
static const uint8_t index_html[] = {
#embed "../Gallery/Web/index.html"
};
static const uint8_t keyboard_js[] = {
#embed "../Gallery/Web/keyboard.js"
};
static const uint8_t layout_js[] = {
#embed "../Gallery/Web/layout.js"
};
static const uint8_t looks_js[] = {
#embed "../Gallery/Web/looks.js"
};
static const uint8_t messages_js[] = {
#embed "../Gallery/Web/messages.js"
};
static const uint8_t motion_js[] = {
#embed "../Gallery/Web/motion.js"
};
static const uint8_t order_js[] = {
#embed "../Gallery/Web/order.js"
};
static const uint8_t own_js[] = {
#embed "../Gallery/Web/own.js"
};
static const uint8_t photos_js[] = {
#embed "../Gallery/Web/photos.js"
};
static const uint8_t preferences_js[] = {
#embed "../Gallery/Web/preferences.js"
};
static const uint8_t presets_js[] = {
#embed "../Gallery/Web/presets.js"
};
static const uint8_t previews_js[] = {
#embed "../Gallery/Web/previews.js"
};
static const uint8_t recipe_js[] = {
#embed "../Gallery/Web/recipe.js"
};
static const uint8_t reorder_js[] = {
#embed "../Gallery/Web/reorder.js"
};
static const uint8_t save_js[] = {
#embed "../Gallery/Web/save.js"
};
static const uint8_t selection_js[] = {
#embed "../Gallery/Web/selection.js"
};
static const uint8_t sender_js[] = {
#embed "../Gallery/Web/sender.js"
};
static const uint8_t setting_js[] = {
#embed "../Gallery/Web/setting.js"
};
static const uint8_t spinners_js[] = {
#embed "../Gallery/Web/spinners.js"
};
static const uint8_t stars_js[] = {
#embed "../Gallery/Web/stars.js"
};
static const uint8_t status_js[] = {
#embed "../Gallery/Web/status.js"
};
static const uint8_t upload_js[] = {
#embed "../Gallery/Web/upload.js"
};
static const uint8_t viewer_js[] = {
#embed "../Gallery/Web/viewer.js"
};
static const uint8_t wording_js[] = {
#embed "../Gallery/Web/wording.js"
};
static const uint8_t xmp_js[] = {
#embed "../Gallery/Web/xmp.js"
};
static const uint8_t zoom_js[] = {
#embed "../Gallery/Web/zoom.js"
};

// clang-format off
#define WEB_FILE(name, bytes) { name, bytes, sizeof bytes }

static const cweb_file files[] = {
    WEB_FILE("api.js", api_js),
    WEB_FILE("attention.js", attention_js),
    WEB_FILE("catalog.js", catalog_js),
    WEB_FILE("cell.js", cell_js),
    WEB_FILE("chain.js", chain_js),
    WEB_FILE("curve.js", curve_js),
    WEB_FILE("divider.js", divider_js),
    WEB_FILE("editor.js", editor_js),
    WEB_FILE("elements.js", elements_js),
    WEB_FILE("events.js", events_js),
    WEB_FILE("filters.js", filters_js),
    WEB_FILE("find.js", find_js),
    WEB_FILE("frames.js", frames_js),
    WEB_FILE("gallery.css", gallery_css),
    WEB_FILE("gallery.js", gallery_js),
    WEB_FILE("grid.js", grid_js),
    WEB_FILE("histogram.js", histogram_js),
    WEB_FILE("history.js", history_js),
    WEB_FILE("icon.svg", icon_svg),
    WEB_FILE("index.html", index_html),
    WEB_FILE("keyboard.js", keyboard_js),
    WEB_FILE("layout.js", layout_js),
    WEB_FILE("looks.js", looks_js),
    WEB_FILE("messages.js", messages_js),
    WEB_FILE("motion.js", motion_js),
    WEB_FILE("order.js", order_js),
    WEB_FILE("own.js", own_js),
    WEB_FILE("photos.js", photos_js),
    WEB_FILE("preferences.js", preferences_js),
    WEB_FILE("presets.js", presets_js),
    WEB_FILE("previews.js", previews_js),
    WEB_FILE("recipe.js", recipe_js),
    WEB_FILE("reorder.js", reorder_js),
    WEB_FILE("save.js", save_js),
    WEB_FILE("selection.js", selection_js),
    WEB_FILE("sender.js", sender_js),
    WEB_FILE("setting.js", setting_js),
    WEB_FILE("spinners.js", spinners_js),
    WEB_FILE("stars.js", stars_js),
    WEB_FILE("status.js", status_js),
    WEB_FILE("upload.js", upload_js),
    WEB_FILE("viewer.js", viewer_js),
    WEB_FILE("wording.js", wording_js),
    WEB_FILE("xmp.js", xmp_js),
    WEB_FILE("zoom.js", zoom_js),
};
// clang-format on

const cweb_file *cweb_files(size_t *count)
{
    *count = sizeof files / sizeof *files;
    return files;
}
