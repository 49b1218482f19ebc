import { sql, type Compilable, type CompiledQuery } from 'kysely'

/**
 * A literal limit, for queries that run many times in one edit. SQLite plans a statement again at each run if it has an order and `= ?`, or
 * `LIMIT ?`. A statement with `in` and one value, or a literal limit, is planned once.
 */
export const one = sql<number>`1`

/** The texts of a JSON list, for `in`: one parameter, however long the list is. */
export const textsIn = (json: string) => sql<string>`(SELECT value FROM json_each(${json}))`

/** Stands for an argument while a query is built, and ends up among the query's parameters. */
class Placeholder {
  readonly key: string
  constructor(key: string) {
    this.key = key
  }
}

/** A query as it was built for arguments with these keys. */
interface Built<Row> {
  keys: readonly string[]
  compiled: CompiledQuery<Row>
  /** For each parameter the index of its argument among the keys; -1: the parameter belongs to the query. */
  places: readonly number[]
}

/**
 * Returns a query that is built and compiled once, and runs with new arguments each time. For queries that run often in one edit: building
 * a query takes longer than running it. `make` must pass each argument on unchanged, because it only sees placeholders. A call with other
 * keys, such as some columns of an update, builds the query again for those. Compare an argument that may be null by `is`.
 */
export function reusable<Args extends object, Row>(make: (args: Args) => Compilable<Row>): (args: Args) => Compilable<Row> {
  const queries: Built<Row>[] = []
  const buildFor = (args: Args, keys: readonly string[]): Built<Row> => {
    const compiled = make(placeholdersFor(args)).compile()
    const places = compiled.parameters.map((parameter) => (parameter instanceof Placeholder ? keys.indexOf(parameter.key) : -1))
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

// Kysely passes any unknown value on as a parameter, whatever its type says.
const placeholdersFor = <Args extends object>(args: Args): Args =>
  Object.fromEntries(Object.keys(args).map((key) => [key, new Placeholder(key)])) as Args
