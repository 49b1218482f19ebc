const words: Readonly<Record<string, string>> = {
  read: 'see everything',
  'variables.write': 'change variables',
  'versions.write': 'save versions and roll back',
  'environments.write': 'add environments',
  'environments.delete': 'delete environments',
  'projects.write': 'add projects',
  'projects.delete': 'delete projects',
  'members.write': 'invite and remove members',
  'workspace.write': 'rename the workspace',
  'audit.read': 'read the audit log',
  'owners.write': 'make owners',
}

const list = new Intl.ListFormat('en-US', { type: 'conjunction' })

interface Role {
  name: string
  permissions: readonly string[]
}

/** What a role can do, for a list of roles: if it can do all that another one can, only the difference. Empty if the service doesn't say. */
export const roleWords = (role: Role, roles: readonly Role[]): string => {
  if (role.permissions.length === 0) return ''
  const lesser = roles
    .filter(({ permissions }) => permissions.length > 0 && permissions.length < role.permissions.length)
    .filter(({ permissions }) => permissions.every((one) => role.permissions.includes(one)))
    .toSorted((a, b) => b.permissions.length - a.permissions.length)[0]
  if (lesser === undefined) return `Can ${permissionWords(role.permissions)}`
  const more = role.permissions.filter((one) => !lesser.permissions.includes(one))
  return `Everything ${lesser.name} can, and ${permissionWords(more)}`
}

/** The permissions as the end of a sentence. Unknown ones stay in the service's words. */
export const permissionWords = (permissions: readonly string[]): string => list.format(permissions.map((one) => words[one] ?? one))
