/** The most entries of one text: a longer text is no configuration, and reading it would take gigabytes. */
export const entryLimit = 100_000

/** The most lines without an entry that are listed one by one. */
export const invalidLimit = 10_000

/** The most characters of all names and values together, with groups and aliases written out. */
export const expandedLimit = 32 * 1024 * 1024

/** Levels of objects within objects. */
export const depthLimit = 64

/** A text that cannot be read at all, as a sentence that quotes nothing of it but line numbers and names. */
export class UnreadableText extends Error {}

export const tooManyEntries = (): UnreadableText =>
  new UnreadableText(`This text has more than ${entryLimit.toLocaleString('en-US')} entries. Split it and import the parts.`)

export const tooManyInvalid = (): UnreadableText =>
  new UnreadableText(
    `More than ${invalidLimit.toLocaleString('en-US')} lines of this text aren’t entries. Check that it’s the right file and format.`,
  )

export const tooDeep = (line: number): UnreadableText =>
  new UnreadableText(
    `Line ${line} is more than ${depthLimit} levels deep. Holdfast joins all levels into one name; flatten the text first.`,
  )
