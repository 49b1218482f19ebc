/** A text that reads as true or false. */
export interface BooleanWord {
  isOn: boolean
  /** The other one, spelled the same way: `TRUE` gives `FALSE`, `False` gives `True`. */
  flipped: string
}

/** Reads `true` or `false` in any spelling of capitals; null for every other text, which a switch could not keep as it was typed. */
export const booleanWord = (text: string): BooleanWord | null => {
  if (!/^(true|false)$/i.test(text)) return null
  const isOn = text.length === 4
  const other = isOn ? 'false' : 'true'
  if (text === text.toUpperCase()) return { isOn, flipped: other.toUpperCase() }
  const isCapital = text.charAt(0) !== text.charAt(0).toLowerCase()
  return { isOn, flipped: isCapital ? other.charAt(0).toUpperCase() + other.slice(1) : other }
}
