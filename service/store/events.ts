import type { AuditEvent } from './audit.ts'
import type { Restored } from './deleted.ts'
import type { EnvironmentRow } from './environments.ts'
import type { MemberRow } from './members.ts'
import type { ProjectRow } from './projects.ts'
import type { VariableRow } from './variables.ts'
import type { VersionRow } from './versions.ts'

/** The audit events of single records, the same whichever route did it. */

export const projectEvent = (verb: 'create' | 'delete', row: ProjectRow): AuditEvent => ({
  action: `project.${verb}`,
  resource: 'project',
  resourceId: row.id,
  detail: { name: row.name, slug: row.slug },
})

export const projectUpdated = (row: ProjectRow, patch: Record<string, unknown>): AuditEvent => ({
  action: 'project.update',
  resource: 'project',
  resourceId: row.id,
  detail: patch,
})

export const environmentEvent = (verb: 'create' | 'delete', row: EnvironmentRow): AuditEvent => ({
  action: `environment.${verb}`,
  resource: 'environment',
  resourceId: row.id,
  detail: { name: row.name, slug: row.slug },
})

export const environmentUpdated = (row: EnvironmentRow, patch: Record<string, unknown>): AuditEvent => ({
  action: 'environment.update',
  resource: 'environment',
  resourceId: row.id,
  detail: patch,
})

export const variableEvent = (verb: 'create' | 'delete', row: VariableRow): AuditEvent => ({
  action: `variable.${verb}`,
  resource: 'variable',
  resourceId: row.id,
  detail: { name: row.name },
})

/** Lists the fields of the patch, never their values. */
export const variableUpdated = (row: VariableRow, patch: Record<string, unknown>): AuditEvent => ({
  action: 'variable.update',
  resource: 'variable',
  resourceId: row.id,
  detail: { name: row.name, fields: Object.keys(patch) },
})

export const versionCreated = (row: VersionRow): AuditEvent => ({
  action: 'version.create',
  resource: 'version',
  resourceId: row.id,
  detail: { label: row.label },
})

export const versionRolledBack = (row: VersionRow, counts: { added: number; updated: number; removed: number }): AuditEvent => ({
  action: 'version.rollback',
  resource: 'version',
  resourceId: row.id,
  detail: { label: row.label, ...counts },
})

export const memberEvent = (verb: 'invite' | 'update', row: MemberRow): AuditEvent => ({
  action: `member.${verb}`,
  resource: 'member',
  resourceId: row.id,
  detail: { email: row.email, roleId: row.role_id },
})

export const memberRemoved = (row: MemberRow): AuditEvent => ({
  action: 'member.remove',
  resource: 'member',
  resourceId: row.id,
  detail: { email: row.email },
})

/** A deleted project or environment was restored, perhaps under another slug. */
export const restored = ({ resource, record }: Restored): AuditEvent => ({
  action: `${resource}.restore`,
  resource,
  resourceId: record.id,
  detail: { name: record.name, slug: record.slug },
})
