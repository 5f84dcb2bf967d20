/// A recipe that Tintype has, for `--recipe NAME`.
struct ShippedRecipe: Sendable {
    let name: String
    let summary: String
    /// What a file of the recipe has.
    let json: String

    static subscript(name: String) -> ShippedRecipe? { all.first { $0.name == name } }

    static let all = [
        ShippedRecipe(
            name: "web", summary: "for pages: 2048, 1024 and 256 pixels on the long side, without metadata",
            json: """
                {
                  "outputs": {
                    "large": {
                      "filters": "resize:long=2048+sharpen:amount=0.3",
                      "quality": 85, "optimize": true, "metadata": "strip"
                    },
                    "medium": {
                      "filters": "resize:long=1024+sharpen:amount=0.3",
                      "quality": 85, "optimize": true, "metadata": "strip"
                    },
                    "thumb": {
                      "filters": "resize:long=256+sharpen",
                      "quality": 80, "optimize": true, "metadata": "strip"
                    }
                  }
                }

                """),
        ShippedRecipe(
            name: "print", summary: "for prints at 300 dpi: 30 cm and 15 cm on the long side",
            json: """
                {
                  "outputs": {
                    "30cm": { "filters": ["resize:long=3543", "sharpen"], "quality": 95 },
                    "15cm": { "filters": ["resize:long=1772", "sharpen"], "quality": 95 }
                  }
                }

                """),
        ShippedRecipe(
            name: "looks", summary: "to choose from: sepia, noir and tintype, 1600 pixels on the long side",
            json: """
                {
                  "outputs": {
                    "sepia": { "filters": "resize:long=1600+sepia", "quality": 85, "output": "sepia/{dir}/{name}" },
                    "noir": { "filters": "resize:long=1600+noir", "quality": 85, "output": "noir/{dir}/{name}" },
                    "tintype": { "filters": "resize:long=1600+tintype", "quality": 85, "output": "tintype/{dir}/{name}" }
                  }
                }

                """),
    ]
}
