import Tintype

/// What the page and the server tell each other, as JSON.

/// The gallery as the page first sees it.
struct GalleryMessage: Encodable {
    struct DeviceMessage: Encodable {
        let identifier: String
        let name: String
    }

    struct FormatMessage: Encodable {
        let identifier: String
        let name: String
        let hasQuality: Bool

        init(_ format: PhotoFormat) {
            identifier = format.rawValue
            name = format.name
            hasQuality = format.codec.hasQuality
        }
    }

    struct FileMessage: Encodable {
        let path: String
        /// Whether it is a table of colours; others are pictures.
        let isTable: Bool

        init(_ path: String) {
            self.path = path
            isTable = FileName(path).fileExtension?.lowercased() == "cube"
        }
    }

    let count: Int
    let title: String
    let order: String
    /// Whether the page proposes to replace outputs that exist.
    let replaces: Bool
    /// Whether photos may have to be downloaded.
    let downloads: Bool
    /// Those that photos can be saved in.
    let formats: [FormatMessage]
    let cursor: Int
    let recipe: RecipeMessage
    let devices: [DeviceMessage]
    let filters: [FilterDescription]
    /// Those that filters can have.
    let files: [FileMessage]
    /// See `Preferences`.
    let preferences: [String: String]
    let status: StatusMessage
}

/// The filters and the device that photos are filtered with.
struct RecipeMessage: Encodable {
    struct FilterMessage: Encodable {
        let name: String
        let values: [String: String]
    }

    /// See `GalleryRecipe.version`.
    let version: Int
    let chain: String
    let command: String
    let device: String
    let filters: [FilterMessage]
}

struct PhotoMessage: Encodable {
    let name: String
    let state: String
    let version: Int
    let error: String?
    /// Whether it has failed, and another try may succeed.
    let canRetry: Bool
    let busy: Bool
    /// 0 as long as they are not known: a change follows.
    let stars: Int
    /// Nil unless the photo has filters of its own, or has had them.
    let own: OwnMessage?
}

/// The filters that only one photo has.
struct OwnMessage: Encodable {
    /// See `OwnFilters`.
    let version: Int
    /// Nil since they were taken away.
    let filters: [RecipeMessage.FilterMessage]?

    init(_ own: OwnFilters.Photo) {
        version = own.version
        filters = own.chain.map(GalleryRecipe.message)
    }
}

struct PhotosMessage: Encodable {
    let first: Int
    let photos: [PhotoMessage]
}

struct StatusMessage: Encodable, Equatable {
    /// See `Gallery.run`.
    var run = ""
    var new = 0
    var downloaded = 0
    var filtered = 0
    var failed = 0
    /// Downloads and filters that run now; those that wait are not counted.
    var downloads = 0
    var filtering = 0
    var megapixelsPerSecond = 0.0
    var device = ""
    /// See `GalleryRecipe.version`.
    var recipeVersion = 0
    /// Photos that have filters of their own.
    var own = 0
    var state = "idle"
    /// Nil before photos are saved.
    var save: SaveMessage?
}

struct CountMessage: Encodable {
    let count: Int
}

/// `[index, state, version, busy, stars, version of its own filters]` of each photo.
struct ChangesMessage: Encodable {
    struct Change: Encodable {
        let item: Int
        let photo: PhotoMessage

        func encode(to encoder: any Encoder) throws {
            var list = encoder.unkeyedContainer()
            try list.encode(item)
            try list.encode(photo.state)
            try list.encode(photo.version)
            try list.encode(photo.busy ? 1 : 0)
            try list.encode(photo.stars)
            try list.encode(photo.own?.version ?? 0)
        }
    }

    let changes: [Change]
}

// MARK: From the page

struct VisibleRequest: Decodable {
    var first: Int?
    var count: Int?
    /// Photos that do not follow one another, instead of a range.
    var items: [Int]?
    /// The page's own name.
    let page: String?
}

/// Asks for the photos that fit all that it says.
struct FindRequest: Decodable {
    enum Order: String, Decodable {
        case listed, name, size, time, stars
    }

    enum State: String, Decodable {
        case failed
        /// All others.
        case fine
    }

    /// A part of the name.
    var name: String?
    var state: State?
    var order: Order?
    var isDescending: Bool?
    /// The fewest stars; 0 is for photos without any.
    var stars: Int?
    /// As `SaveRequest.photos`.
    var among: [[Int]]?
}

/// Asks for what the page knows of photos.
struct PhotosRequest: Decodable {
    let items: [Int]
}

struct OpenRequest: Decodable {
    /// As in `VisibleRequest`.
    let page: String?
}

struct SessionRequest: Decodable {
    enum Action: String, Decodable {
        case start, suspend, resume, cancel, reset
    }

    let action: Action
}

struct SaveActionRequest: Decodable {
    enum Action: String, Decodable {
        case pause, resume, stop
    }

    let action: Action
}

struct RecipeRequest: Decodable {
    let chain: String
    let device: String
}

/// Gives a photo filters of its own, or those of all.
struct OwnRequest: Decodable {
    /// Nil takes the photo's own away.
    let chain: String?
}

struct PreferenceRequest: Decodable {
    let name: String
    /// JSON.
    let text: String
}

struct LooksRequest: Decodable {
    let chain: String
    /// Pixels of a picture's longer side.
    let longSide: Int
    let photos: [Int]
}
