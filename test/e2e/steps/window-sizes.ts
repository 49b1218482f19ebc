/** The window as it opens in tests. */
export const usual = { width: 1280, height: 800 }
/** The least a window may be made, and one of a large screen: pictures are taken of both. */
export const narrow = { width: 900, height: 600 }
export const wide = { width: 1600, height: 1000 }
