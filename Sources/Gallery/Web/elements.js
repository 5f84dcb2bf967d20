// Shorthand for making elements.

export function make(name, properties = {}, ...children) {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
}

const whole = new Intl.NumberFormat("en");

/** A number of photos. */
export const photos = (count) => `${whole.format(count)} ${count === 1 ? "photo" : "photos"}`;

/** Shows why photos failed: the first `problems`, `{ name, error }` each, and how many of the `failed` are not among them. */
export function showProblems(element, problems, failed) {
    element.hidden = failed === 0;
    const more = failed - problems.length;
    element.querySelector("ul").replaceChildren(
        ...problems.map(({ name, error }) => make("li", { textContent: `${name}: ${error}` })),
        ...(more > 0 ? [make("li", { textContent: `and ${photos(more)} more.` })] : []));
}

/** One of the icons in the page, by its name without `icon-`. */
export function icon(name) {
    const namespace = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(namespace, "svg");
    svg.setAttribute("aria-hidden", "true");
    const use = document.createElementNS(namespace, "use");
    use.setAttribute("href", `#icon-${name}`);
    svg.append(use);
    return svg;
}

/** A name as the catalogue has it, with a capital letter and blanks: `tilt-shift` is "Tilt shift". */
export function title(name) {
    return (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll("-", " ");
}
