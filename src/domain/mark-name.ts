/** The name of a cell's mark: A to Z, then 27, 28, ... */
export const markName = (mark: number): string => (mark < 26 ? String.fromCharCode(65 + mark) : String(mark + 1))
