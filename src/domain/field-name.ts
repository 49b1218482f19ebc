const names: Readonly<Record<string, string>> = {
  parent: 'Environment',
  name: 'Name',
  slug: 'Slug',
  value: 'Value',
  type: 'Type',
  isSecret: 'Secret',
  roleId: 'Role',
}

/** The word a person reads for a field of a row. */
export const fieldName = (field: string): string => names[field] ?? field
