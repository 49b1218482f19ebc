import type { QueryName, Table } from './contract.ts'

/**
 * For each query, the tables whose changes make its answer outdated. Not in the contract's file, because the page does not load the
 * contract's schemas.
 */
export const queryTables: { readonly [N in QueryName]: readonly Table[] } = {
  'app.status': ['app'],
  'workspaces.list': ['app', 'workspaces'],
  // The dialog that asks about a project's or environment's deletion shows what was added in it.
  'projects.list': ['projects', 'environments', 'variables', 'versions', 'queue'],
  'environments.list': ['environments', 'variables', 'versions', 'queue'],
  'variables.page': ['variables', 'queue'],
  'variables.position': ['variables', 'queue'],
  'variables.range': ['variables', 'queue'],
  'variables.values': ['app', 'settings', 'variables'],
  'variables.show': ['app', 'variables', 'queue'],
  'variables.changed': ['app', 'settings', 'variables', 'queue'],
  'variables.is-taken': ['variables'],
  'compare.page': ['app', 'environments', 'variables', 'queue'],
  'compare.row': ['app', 'environments', 'variables', 'queue'],
  'compare.missing': ['environments', 'variables'],
  'find.search': ['workspaces', 'projects', 'environments', 'variables'],
  'sync.status': ['sync', 'queue'],
  'queue.list': ['queue'],
  'queue.show': ['app', 'settings', 'environments', 'queue'],
  'conflicts.show': ['settings', 'variables', 'versions', 'queue'],
  'import.preview': ['variables'],
  'import.progress': ['imports'],
  'import.interrupted': ['workspaces'],
  'export.text': ['app', 'settings', 'projects', 'environments', 'variables'],
  'text.read': ['app', 'variables'],
  'references.resolve': ['app', 'settings', 'environments', 'variables'],
  'references.preview': ['app', 'settings', 'environments', 'variables'],
  'references.suggest': ['environments', 'variables'],
  'references.problems': ['app', 'environments', 'variables'],
  'references.outdated': ['app', 'environments', 'variables'],
  'tracked.list': ['sync', 'projects', 'environments', 'variables'],
  'settings.get': ['settings'],
  'diagnostics.report': [],
  'queue.export': ['app', 'queue', 'workspaces'],
  'unverified.list': ['app', 'projects', 'environments', 'variables', 'queue'],
  'unverified.show': ['app', 'variables', 'queue'],
  'history.list': ['projects', 'environments', 'variables'],
  'history.values': ['app', 'settings', 'variables'],
  'restart.note': ['projects', 'environments', 'variables', 'sync'],
  'deleted.list': ['projects', 'environments', 'queue'],
  'repair.preview': ['workspaces'],
  'repair.note': ['workspaces'],
  'undo.status': ['queue'],
  'versions.list': ['versions', 'queue'],
  'versions.show': ['app', 'versions', 'variables', 'queue'],
  'versions.values': ['app', 'settings', 'versions', 'variables'],
  'versions.preview-rollback': ['app', 'versions', 'variables', 'queue'],
  'members.list': ['members', 'queue'],
  'roles.list': ['members'],
  'keys.recovery': ['app'],
  'keys.system-authentication': ['app'],
}

/** Every table. A page that missed pushes must treat all of them as changed. */
export const allTables: readonly Table[] = [...new Set([...Object.values(queryTables).flat(), 'drafts' as const])]
