interface Named {
  readonly id: string
  readonly name: string
}

/** Whether one of the `others` next to a project or environment has its name. */
export const hasTwinName = (row: Named, others: readonly Named[]): boolean => twinNameProblem(row, others) !== null

/** The same rows; a name that several have is followed by the slug, for lists that show nothing else. */
export const namesToldApart = <Row extends Named & { readonly slug: string }>(rows: readonly Row[]): Row[] =>
  rows.map((row) => (hasTwinName(row, rows) ? { ...row, name: `${row.name} (${row.slug})` } : row))

/** Why a project or environment can’t have a name: one of the `others` next to it has it. Null: it can. `id` null: it is a new one. */
export const twinNameProblem = (row: { readonly id: string | null; readonly name: string }, others: readonly Named[]): string | null =>
  others.some(({ id, name }) => id !== row.id && name.trim() === row.name.trim())
    ? `${row.name.trim()} already exists here. Choose another name.`
    : null
