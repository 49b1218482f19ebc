interface Named {
  readonly id: string
  readonly name: string
}

/** Whether one of the `others` next to a project or environment has its name. */
export const hasTwinName = (row: Named, others: readonly Named[]): boolean =>
  others.some(({ id, name }) => id !== row.id && name.trim() === row.name.trim())

/** The same rows; a name that several have is followed by the slug, for lists that show nothing else. */
export const namesToldApart = <Row extends Named & { readonly slug: string }>(rows: readonly Row[]): Row[] =>
  rows.map((row) => (hasTwinName(row, rows) ? { ...row, name: `${row.name} (${row.slug})` } : row))

/** What to say when a project or environment got a name that one of the `others` next to it has; null if none has it. */
export const twinNameWords = (kind: 'project' | 'environment', row: Named, others: readonly Named[]): string | null =>
  hasTwinName(row, others)
    ? `Another ${kind}${kind === 'environment' ? ' of this project' : ''} is also called “${row.name.trim()}”. Rename one to tell them apart.`
    : null
