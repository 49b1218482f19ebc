/** Entries that one text may give: beyond that it is no configuration, and reading it takes gigabytes. */
export const entryLimit = 100_000

/** Lines without an entry that are still told one by one. */
export const invalidLimit = 10_000

/** Characters of all names and values together, groups and aliases written out. */
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
