// Made once: making a format takes longer than drawing a row.
const format = new Intl.NumberFormat('en-US')

/** `1,204`: a number as people read it. */
export const numberText = (number: number): string => format.format(number)
