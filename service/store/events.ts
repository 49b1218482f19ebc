import type { AuditEvent } from './audit.ts'
import type { Restored } from './deleted.ts'
import type { EnvironmentRow } from './environments.ts'
import type { MemberRow } from './members.ts'
import type { ProjectRow } from './projects.ts'
import type { VariableRow } from './variables.ts'
import type { VersionRow } from './versions.ts'

/** The audit events of single records, the same whichever route did it. */

const eventOf = (resource: string, verb: string, { id }: { id: string }, detail: Record<string, unknown>): AuditEvent => ({
  action: `${resource}.${verb}`,
  resource,
  resourceId: id,
  detail,
})

export const projectEvent = (verb: 'create' | 'delete', row: ProjectRow): AuditEvent =>
  eventOf('project', verb, row, { name: row.name, slug: row.slug })

export const projectUpdated = (row: ProjectRow, patch: Record<string, unknown>): AuditEvent => eventOf('project', 'update', row, patch)

export const environmentEvent = (verb: 'create' | 'delete', row: EnvironmentRow): AuditEvent =>
  eventOf('environment', verb, row, { name: row.name, slug: row.slug })

export const environmentUpdated = (row: EnvironmentRow, patch: Record<string, unknown>): AuditEvent =>
  eventOf('environment', 'update', row, patch)

export const variableEvent = (verb: 'create' | 'delete', row: Pick<VariableRow, 'id' | 'name'>): AuditEvent =>
  eventOf('variable', verb, row, { name: row.name })

/** Lists the fields of the patch, never their values. */
export const variableUpdated = (row: VariableRow, patch: Record<string, unknown>): AuditEvent =>
  eventOf('variable', 'update', row, { name: row.name, fields: Object.keys(patch) })

export const versionCreated = (row: VersionRow): AuditEvent => eventOf('version', 'create', row, { label: row.label })

export const versionRolledBack = (row: VersionRow, counts: { added: number; updated: number; removed: number }): AuditEvent =>
  eventOf('version', 'rollback', row, { label: row.label, ...counts })

export const memberEvent = (verb: 'invite' | 'update', row: MemberRow): AuditEvent =>
  eventOf('member', verb, row, { email: row.email, roleId: row.role_id })

export const memberRemoved = (row: MemberRow): AuditEvent => eventOf('member', 'remove', row, { email: row.email })

/** A deleted project or environment was restored, perhaps under another slug. */
export const restored = ({ resource, record }: Restored): AuditEvent =>
  eventOf(resource, 'restore', record, { name: record.name, slug: record.slug })
