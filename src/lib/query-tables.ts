import type { QueryName, Table } from '../../electron/bridge/contract.ts'

/**
 * The tables whose changes make each query's answer old. The page imports no code of the application, so this is
 * written again here: the compiler refuses a missing or unknown query, a test compares it with the contract.
 */
export const queryTables: { readonly [N in QueryName]: readonly Table[] } = {
  'app.status': ['app'],
  'workspaces.list': ['app', 'workspaces'],
  'projects.list': ['projects', 'environments', 'variables', 'queue'],
  'environments.list': ['environments', 'variables', 'queue'],
  'variables.page': ['variables', 'queue'],
  'variables.place': ['variables', 'queue'],
  'variables.values': ['app', 'settings', 'variables'],
  'variables.show': ['app', 'variables', 'queue'],
  'variables.is-taken': ['variables'],
  'compare.page': ['app', 'environments', 'variables', 'queue'],
  'compare.row': ['app', 'environments', 'variables', 'queue'],
  'find.search': ['workspaces', 'projects', 'environments', 'variables'],
  'sync.status': ['sync', 'queue'],
  'queue.list': ['queue'],
  'conflicts.show': ['variables', 'versions', 'queue'],
  'import.preview': ['variables'],
  'import.progress': ['imports'],
  'export.text': ['app', 'projects', 'environments', 'variables'],
  'text.read': ['app', 'variables'],
  'references.resolve': ['app', 'settings', 'environments', 'variables'],
  'references.preview': ['app', 'settings', 'environments', 'variables'],
  'references.suggest': ['environments', 'variables'],
  'references.problems': ['app', 'environments', 'variables'],
  'following.list': ['sync', 'projects', 'environments', 'variables'],
  'settings.get': ['settings'],
  'diagnostics.report': [],
  'queue.export': ['app', 'queue', 'workspaces'],
  'history.list': ['projects', 'environments', 'variables'],
  'history.values': ['app', 'settings', 'variables'],
  'deleted.list': ['projects', 'environments', 'queue'],
  'rescue.look': ['workspaces'],
  'rescue.note': ['workspaces'],
  'undo.status': ['queue'],
  'versions.list': ['versions', 'queue'],
  'versions.show': ['app', 'versions', 'variables', 'queue'],
  'versions.values': ['app', 'settings', 'versions', 'variables'],
  'versions.preview-rollback': ['app', 'versions', 'variables', 'queue'],
  'members.list': ['members', 'queue'],
  'roles.list': ['members'],
  'keys.recovery': ['app'],
  'drafts.read': [],
}

/** Every table there is: what a page that missed pushes must take as changed. */
export const allTables: readonly Table[] = [
  'app',
  'settings',
  'workspaces',
  'projects',
  'environments',
  'variables',
  'versions',
  'members',
  'queue',
  'sync',
  'imports',
]
