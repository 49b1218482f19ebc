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
 * longer than SQLite does to answer it. `make` must put each argument into the query as it is, since it never sees one, and what it is
 * called with must have the same keys each time. An argument that may be null belongs behind `is`.
 */
export function reusable<Args extends object, Row>(make: (args: Args) => Compilable<Row>): (args: Args) => Compilable<Row> {
  let compiled: CompiledQuery<Row> | null = null
  return (args) => ({
    compile() {
      compiled ??= make(standInsFor(args)).compile()
      const values = args as Record<string, unknown>
      const parameters = compiled.parameters.map((parameter) => (parameter instanceof StandIn ? values[parameter.key] : parameter))
      return { ...compiled, parameters }
    },
  })
}

// Kysely passes on what it does not know as a parameter, whatever its type says.
const standInsFor = <Args extends object>(args: Args): Args =>
  Object.fromEntries(Object.keys(args).map((key) => [key, new StandIn(key)])) as Args
