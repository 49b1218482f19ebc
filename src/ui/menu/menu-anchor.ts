/** What a menu opens at: an element, or a point of the window. */
export type MenuAnchor = HTMLElement | { getBoundingClientRect: () => DOMRect }
