/** Who may do what: the whole matrix (docs/service.md, "Roles"). A role's id is its system identifier. */

export const roleIds = ['owner', 'admin', 'editor', 'viewer'] as const
export type RoleId = (typeof roleIds)[number]

export const permissions = [
  /** Workspace, projects, environments, variables, versions, members, roles and the change feed. */
  'read',
  'variables.write',
  'versions.write',
  'environments.write',
  'environments.delete',
  'projects.write',
  'projects.delete',
  'members.write',
  'workspace.write',
  'audit.read',
  /** Making a member an owner, and changing or removing an owner. */
  'owners.write',
] as const
export type Permission = (typeof permissions)[number]

const viewer: readonly Permission[] = ['read']
const editor: readonly Permission[] = [...viewer, 'variables.write', 'versions.write', 'environments.write']
const admin: readonly Permission[] = [
  ...editor,
  'environments.delete',
  'projects.write',
  'projects.delete',
  'members.write',
  'workspace.write',
  'audit.read',
]

export const rolePermissions: { readonly [R in RoleId]: readonly Permission[] } = {
  owner: [...admin, 'owners.write'],
  admin,
  editor,
  viewer,
}

export const roleNames: { readonly [R in RoleId]: string } = { owner: 'Owner', admin: 'Admin', editor: 'Editor', viewer: 'Viewer' }

/** True when a member with role `roleId` may do `permission`. */
export const roleMay = (roleId: RoleId, permission: Permission): boolean => rolePermissions[roleId].includes(permission)
