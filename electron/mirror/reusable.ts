import type { Compilable, CompiledQuery } from 'kysely'

/** Stands for an argument while a query is built, and comes out among its parameters. */
class StandIn {
  readonly key: string
  constructor(key: string) {
    this.key = key
  }
}

/**
 * A query that is built and compiled once and run with other arguments each time, for what runs many times in an edit: building a query takes
 * longer than SQLite does to answer it. `make` must put each argument into the query as it is, since it never sees one. Called with other keys (some
 * columns of an update), it is built once for those too. An argument that may be null belongs behind `is`.
 */
export function reusable<Args extends object, Row>(make: (args: Args) => Compilable<Row>): (args: Args) => Compilable<Row> {
  const queries = new Map<string, CompiledQuery<Row>>()
  return (args) => ({
    compile() {
      const keys = Object.keys(args).join()
      const compiled = queries.get(keys) ?? make(standInsFor(args)).compile()
      queries.set(keys, compiled)
      const values = args as Record<string, unknown>
      const parameters = compiled.parameters.map((parameter) => (parameter instanceof StandIn ? values[parameter.key] : parameter))
      return { ...compiled, parameters }
    },
  })
}

// Kysely passes on what it does not know as a parameter, whatever its type says.
const standInsFor = <Args extends object>(args: Args): Args =>
  Object.fromEntries(Object.keys(args).map((key) => [key, new StandIn(key)])) as Args

/**
 * The same for an insertion of one of many rows, whose columns must always be the same and in the same order: the first row makes the query, and the
 * columns of the others are its parameters as they are.
 */
export function reusableInsert<Columns extends object>(make: (columns: Columns) => Compilable): (columns: Columns) => Compilable {
  let compiled: CompiledQuery | undefined
  return (columns) => ({
    compile() {
      compiled ??= make(columns).compile()
      return { ...compiled, parameters: Object.values(columns) }
    },
  })
}
