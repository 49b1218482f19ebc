/** The values of an environment by their variables' names. */
export type Contents = ReadonlyMap<string, string>

/** What may be there after an act: one of these, whole, or with the rows of each, as an import leaves them whose first parts were sent. */
export interface Expectation {
  states: readonly Contents[]
  isMixed?: boolean
}

const isSame = (a: Contents, b: Contents): boolean => a.size === b.size && [...a].every(([name, value]) => b.get(name) === value)

/** Returns null if `found` is what was expected, or else says what is different. */
export function difference({ states, isMixed = false }: Expectation, found: Contents): string | null {
  if (states.some((state) => isSame(state, found))) return null
  const names = [...new Set([found, ...states].flatMap((state) => [...state.keys()]))]
  const wrong = names.filter((name) => !states.some((state) => state.get(name) === found.get(name)))
  if (isMixed && wrong.length === 0) return null
  const [state = found] = states
  const lines = names
    .filter((name) => state.get(name) !== found.get(name))
    .map((name) => `${name}: ${state.get(name)} became ${found.get(name)}`)
  return `${lines.length} rows are neither as before nor as after it: ${lines.slice(0, 5).join('; ')}`
}

export const withRows = (contents: Contents, rows: Iterable<readonly [string, string]>): Contents => new Map([...contents, ...rows])

export const without = (contents: Contents, names: readonly string[]): Contents =>
  new Map([...contents].filter(([name]) => !names.includes(name)))
