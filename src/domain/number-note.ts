/** What a program makes of a number that is not written the plain way, in one sentence; null where there is nothing to say. */
export const numberNote = (text: string): string | null => {
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number)) return null
  const digits = /^[+-]?0*(\d*)(?:\.(\d*?)0*)?$/.exec(text.trim())
  const significant = digits === null ? 0 : `${digits[1] ?? ''}${digits[2] ?? ''}`.replace(/^0+/, '').replace(/0+$/, '').length
  if (significant > 15 && String(number) !== text.trim()) {
    return `Most programs read this as ${String(number)}: they keep about 15 digits. It is saved as typed.`
  }
  if (digits === null || /^[+-]?0\d/.test(text.trim())) return `Programs may read this as ${String(number)}. It is saved as typed.`
  return null
}
