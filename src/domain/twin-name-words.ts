/** What to say when a project or environment got a name that one of the `others` next to it has; null if none has it. */
export const twinNameWords = (
  kind: 'project' | 'environment',
  row: { readonly id: string; readonly name: string },
  others: readonly { readonly id: string; readonly name: string }[],
): string | null =>
  others.some(({ id, name }) => id !== row.id && name.trim() === row.name.trim())
    ? `Another ${kind}${kind === 'environment' ? ' of this project' : ''} is also called “${row.name.trim()}”. Rename one to tell them apart.`
    : null
