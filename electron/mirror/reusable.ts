import type { Compilable, CompiledQuery } from 'kysely'

/** Stands for an argument while a query is built, and comes out among its parameters. */
class StandIn {
  readonly key: string
  constructor(key: string) {
    this.key = key
  }
}

/** A query as it was built for arguments with these keys. */
interface Built<Row> {
  keys: readonly string[]
  compiled: CompiledQuery<Row>
  /** For each parameter the place of its argument among the keys; -1: it is the query's own. */
  places: readonly number[]
}

/**
 * A query that is built and compiled once and run with other arguments each time, for what runs many times in an edit: building a query takes
 * longer than SQLite does to answer it. `make` must put each argument into the query as it is, since it never sees one. Called with other keys (some
 * columns of an update), it is built once for those too. An argument that may be null belongs behind `is`.
 */
export function reusable<Args extends object, Row>(make: (args: Args) => Compilable<Row>): (args: Args) => Compilable<Row> {
  const queries: Built<Row>[] = []
  const buildFor = (args: Args, keys: readonly string[]): Built<Row> => {
    const compiled = make(standInsFor(args)).compile()
    const places = compiled.parameters.map((parameter) => (parameter instanceof StandIn ? keys.indexOf(parameter.key) : -1))
    const built = { keys, compiled, places }
    queries.push(built)
    return built
  }
  return (args) => ({
    compile() {
      const keys = Object.keys(args)
      const { compiled, places } = queries.find((known) => isSame(known.keys, keys)) ?? buildFor(args, keys)
      const values: unknown[] = Object.values(args)
      const parameters = places.map((place, at) => (place === -1 ? compiled.parameters[at] : values[place]))
      return { ...compiled, parameters }
    },
  })
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false
  for (let at = 0; at < a.length; at += 1) if (a[at] !== b[at]) return false
  return true
}

// Kysely passes on what it does not know as a parameter, whatever its type says.
const standInsFor = <Args extends object>(args: Args): Args =>
  Object.fromEntries(Object.keys(args).map((key) => [key, new StandIn(key)])) as Args
