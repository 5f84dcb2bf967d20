/// A file of the page, embedded in the program.
struct WebFile: Sendable {
    let bytes: [UInt8]
    let type: String

    /// - Returns: nil if the page has no file of this name.
    static func named(_ name: String) -> WebFile? { files[name] }

    private static let files: [String: WebFile] = [
        "index.html": WebFile(bytes: PackageResources.index_html, type: "text/html; charset=utf-8"),
        "gallery.css": WebFile(bytes: PackageResources.gallery_css, type: "text/css; charset=utf-8"),
        "icon.svg": WebFile(bytes: PackageResources.icon_svg, type: "image/svg+xml"),
    ].merging(scripts.mapValues { WebFile(bytes: $0, type: "text/javascript; charset=utf-8") }) { $1 }

    private static let scripts: [String: [UInt8]] = [
        "api.js": PackageResources.api_js,
        "attention.js": PackageResources.attention_js,
        "cell.js": PackageResources.cell_js,
        "catalog.js": PackageResources.catalog_js,
        "chain.js": PackageResources.chain_js,
        "curve.js": PackageResources.curve_js,
        "divider.js": PackageResources.divider_js,
        "editor.js": PackageResources.editor_js,
        "elements.js": PackageResources.elements_js,
        "events.js": PackageResources.events_js,
        "filters.js": PackageResources.filters_js,
        "find.js": PackageResources.find_js,
        "frames.js": PackageResources.frames_js,
        "gallery.js": PackageResources.gallery_js,
        "grid.js": PackageResources.grid_js,
        "histogram.js": PackageResources.histogram_js,
        "history.js": PackageResources.history_js,
        "keyboard.js": PackageResources.keyboard_js,
        "layout.js": PackageResources.layout_js,
        "looks.js": PackageResources.looks_js,
        "messages.js": PackageResources.messages_js,
        "motion.js": PackageResources.motion_js,
        "order.js": PackageResources.order_js,
        "own.js": PackageResources.own_js,
        "photos.js": PackageResources.photos_js,
        "preferences.js": PackageResources.preferences_js,
        "presets.js": PackageResources.presets_js,
        "previews.js": PackageResources.previews_js,
        "recipe.js": PackageResources.recipe_js,
        "reorder.js": PackageResources.reorder_js,
        "save.js": PackageResources.save_js,
        "selection.js": PackageResources.selection_js,
        "sender.js": PackageResources.sender_js,
        "setting.js": PackageResources.setting_js,
        "spinners.js": PackageResources.spinners_js,
        "stars.js": PackageResources.stars_js,
        "status.js": PackageResources.status_js,
        "upload.js": PackageResources.upload_js,
        "viewer.js": PackageResources.viewer_js,
        "wording.js": PackageResources.wording_js,
        "xmp.js": PackageResources.xmp_js,
        "zoom.js": PackageResources.zoom_js,
    ]
}
