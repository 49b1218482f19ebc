/** A key for each line of a review: unique in it, and the same while lines come and go around it. */
export const lineKeys = (lines: readonly { line: number; name: string }[]): string[] => {
  const taken = new Map<string, number>()
  return lines.map(({ line, name }) => {
    const key = `${line} ${name}`
    // Two variables that the text doesn’t name may have one name.
    const before = taken.get(key) ?? 0
    taken.set(key, before + 1)
    return `${before} ${key}`
  })
}
