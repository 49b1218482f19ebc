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

/** What a role can do, as one sentence's end; what Holdfast does not know stays in the service's words. Empty where the service says nothing. */
export const permissionWords = (permissions: readonly string[]): string => list.format(permissions.map((one) => words[one] ?? one))
