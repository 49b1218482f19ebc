/** Between the levels of a nested text, in the name of the variable: `{"db": {"host": …}}` is `db__host`. */
const separator = '__'

/** The one name for a path of names. */
export const flatName = (path: readonly string[]): string => path.join(separator)

/** The path as a sentence says it, shortened where it is long. */
export function pathInWords(path: readonly string[]): string {
  const whole = path.join('.')
  return `“${whole.length > 200 ? `${whole.slice(0, 199)}…` : whole}”`
}

export const listReason = (path: readonly string[]): string =>
  `${pathInWords(path)} is a list. A variable holds a single value: write the list as a quoted string.`

export const groupReason = (path: readonly string[]): string =>
  `${pathInWords(path)} is an object. A variable holds a single value: write the object as a quoted string.`

export const emptyGroupReason = (path: readonly string[]): string => `${pathInWords(path)} is empty, so there’s nothing to import.`

export const halfCharacterReason = (path: readonly string[]): string =>
  `${pathInWords(path)} contains half of a character: an escape such as \\ud83d needs its second half.`

export const nullNote = 'Null is imported as an empty value.'
