// Shorthand for making elements.

export function make(name, properties = {}, ...children) {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
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
