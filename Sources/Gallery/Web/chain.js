// Filters and their settings as text: `sepia:intensity=0.8+noir`, and values as `80%`, `0.8`, `8` or
// `luminance`.

/** Five digits are more than a slider can set, and hide the binary rounding of `0.70000005`. */
const digits = 5;
const plain = (number) => String(Number(number.toPrecision(digits)));

/** A value without superfluous digits. */
export function tidy(parameter, text) {
    if (parameter.kind !== "number") return text;
    const share = text.endsWith("%");
    const number = Number(share ? text.slice(0, -1) : text);
    if (!Number.isFinite(number)) return text;
    // A fraction may be written as a percentage, and means the same.
    if (share && parameter.unit === "fraction") return plain(number / 100);
    return plain(number) + (share ? "%" : "");
}

/** A filter with all its settings, those not in `values` at their defaults. */
export function configured(filter, values = {}) {
    // A filter that needs a file begins with the first one.
    const value = (each) => tidy(each, values[each.name] ?? each.files?.[0] ?? each.default);
    return { filter, values: Object.fromEntries(filter.parameters.map((each) => [each.name, value(each)])) };
}

export function isDefault(parameter, value) {
    return value === tidy(parameter, parameter.default);
}

/** A curve's text that changes nothing. */
const straight = "0/0_1/1";
export const isStraight = (text) => text === straight;

/** Gives settings that are files more paths to choose from: of `{ path, isTable }` each those that fit. */
export function offer(filters, files) {
    for (const { name, parameters } of filters) {
        const paths = files.filter(({ isTable }) => name === "lut" || !isTable).map(({ path }) => path);
        for (const parameter of parameters.filter(({ kind }) => kind === "file")) {
            parameter.files = [...new Set([...(parameter.files ?? []), ...paths])];
        }
    }
}

/** Whether a filter needs a file, and there is none. */
export const lacksFile = ({ parameters }) => parameters.some(({ files }) => files?.length === 0);

/** The chain's text. Settings at their defaults are left out. */
export function chainText(items) {
    return items.map(({ filter, values }) => {
        const isSet = (each) => !isDefault(each, values[each.name]);
        // Beside other settings, a curve that is left out would be a straight line.
        const isNeeded = (each) => each.kind === "curve" && !isStraight(values[each.name]);
        const hasSettings = filter.parameters.some(isSet);
        const settings = filter.parameters
            .filter((each) => isSet(each) || (hasSettings && isNeeded(each)))
            .map((each) => `${each.name}=${values[each.name]}`);
        return filter.name + (settings.length > 0 ? `:${settings.join(",")}` : "");
    }).join("+");
}

/**
 * The filters of a chain's text, `{ name, values }` each.
 * @throws Error that says what is wrong, if the catalogue has no such filter or setting.
 */
export function parsed(text, catalog) {
    if (text.trim() === "") return [];
    return text.split("+").map((part) => {
        const [name, ...rest] = part.trim().split(":");
        const filter = catalog.find((each) => each.name === name);
        if (!filter) throw new Error(`There is no filter “${name}”.`);
        const settings = rest.length > 0 ? rest.join(":").split(",") : [];
        const values = settings.map((setting) => {
            const [key, ...value] = setting.trim().split("=");
            const isKnown = filter.parameters.some((each) => each.name === key);
            if (!isKnown) throw new Error(`The filter “${name}” has no setting “${key}”.`);
            return [key, value.join("=")];
        });
        // Beside other settings, a curve that is left out is a straight line.
        const curves = filter.parameters.filter(({ kind }) => kind === "curve" && settings.length > 0);
        const lines = curves.map((each) => [each.name, straight]);
        return { name, values: Object.fromEntries([...lines, ...values]) };
    });
}

/** How a number is shown and set: the scale of a setting in one of its units. */
export function scales(parameter) {
    const { minimum, maximum, unit } = parameter;
    if (unit === "fraction") {
        const percent = { minimum: 100 * minimum, maximum: 100 * maximum, factor: 100 };
        return [{ unit: "%", suffix: "", ...percent, power: 1 }];
    }
    // Small lengths matter most: 0.7 % would be lost on an even scale up to 100 %.
    if (unit === "px or %") {
        return [
            { unit: "px", suffix: "", minimum, maximum, factor: 1, power: 3 },
            { unit: "%", suffix: "%", minimum: 0, maximum: 100, factor: 1, power: 3 },
        ];
    }
    return [{ unit: unit === "number" ? "" : unit ?? "", suffix: "", minimum, maximum, factor: 1, power: 1 }];
}

export function scaleOf(parameter, value) {
    const all = scales(parameter);
    return all.find((each) => each.suffix !== "" && value.endsWith(each.suffix)) ?? all[0];
}

/** The number that is shown for a value, as text. */
export function shown(scale, value) {
    return plain(scale.factor * Number(value.replace("%", "")));
}

/** The value for a number that is shown. */
export function stored(scale, number) {
    return plain(number / scale.factor) + scale.suffix;
}

/** A number of a scale as the share of the slider's way, 0 to 1, and back. */
export function share(scale, number) {
    return ((number - scale.minimum) / (scale.maximum - scale.minimum)) ** (1 / scale.power);
}

export function number(scale, share) {
    const exact = scale.minimum + share ** scale.power * (scale.maximum - scale.minimum);
    // Hundredths of the range, or two digits on a scale that is not even.
    const step = 10 ** Math.floor(Math.log10((scale.maximum - scale.minimum) / 100));
    return scale.power === 1 ? Math.round(exact / step) * step : Number(exact.toPrecision(2));
}
