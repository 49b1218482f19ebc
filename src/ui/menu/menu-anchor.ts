/** The anchor of a menu: an element, or a point of the window. */
export type MenuAnchor = HTMLElement | { getBoundingClientRect: () => DOMRect }
