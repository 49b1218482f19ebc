import { randomBytes } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import { emailLimit } from '../protocol/limits.ts'
import { displayNameProblem, slugProblem } from '../protocol/names.ts'
import { amongWorkspaces, makeWorkspace } from '../store/bootstrap.ts'
import type { Store } from '../store/store.ts'
import { deleteWorkspace, listWorkspaces } from '../store/workspaces.ts'
import { CommandError } from './exit-message.ts'
import type { Output } from './output.ts'
import { readOptions, refuseUnused, storageOptions } from './options.ts'
import { withStore } from './with-store.ts'

const usage = `Usage: npm run service -- workspaces create --name NAME --slug SLUG --owner EMAIL (--data DIR | --database-url-file FILE)
       npm run service -- workspaces list (--data DIR | --database-url-file FILE)
       npm run service -- workspaces delete ID (--data DIR | --database-url-file FILE)`

const create = async (
  store: Store,
  { print }: Output,
  { name, slug, owner }: { name: string; slug: string; owner: string },
): Promise<void> => {
  const problem = displayNameProblem(name) ?? slugProblem(slug)
  if (problem !== null) throw new CommandError(problem)
  if (!z.email().max(emailLimit).safeParse(owner).success) throw new CommandError('The owner must be a valid email address.')
  const at = new Date().toISOString()
  const workspace = { id: uuid(), name, slug, owner, keyName: 'first key' }
  const made = await amongWorkspaces(store, (trx) => makeWorkspace(store, trx, workspace, { at, randomBytes }))
  print({ workspaceId: made.workspaceId, name, slug, owner, apiKey: made.apiKey })
}

const list = async (store: Store, { print }: Output): Promise<void> => {
  for (const row of await listWorkspaces(store))
    print({ workspaceId: row.id, name: row.name, slug: row.slug, createdAt: row.created_at, holds: row.holds })
}

const remove = async (store: Store, { print }: Output, id: string): Promise<void> => {
  if (!(await deleteWorkspace(store, id))) throw new CommandError('No workspace has this id. "workspaces list" shows all ids.')
  print({ workspaceId: id, deleted: true })
}

/**
 * `workspaces create`, `workspaces list`, `workspaces delete`: one line of JSON on stdout for each workspace. The service may be running.
 * A deletion is immediate and permanent, and includes members and keys.
 */
export const workspaces = async (args: readonly string[], output: Output): Promise<number> => {
  const options = { ...storageOptions, name: { type: 'string' }, slug: { type: 'string' }, owner: { type: 'string' } } as const
  const { values, positionals } = readOptions(args, options, usage, { words: true })
  const [action, id, ...more] = positionals
  if (more.length > 0 || (action !== 'delete' && id !== undefined)) throw new CommandError(usage)
  refuseUnused(values, action === 'create' ? Object.keys(options) : [], usage)
  if (action === 'create') {
    const { name, slug, owner } = values
    if (name === undefined || slug === undefined || owner === undefined) throw new CommandError(`Set --name, --slug and --owner.\n${usage}`)
    await withStore(values, (store) => create(store, output, { name, slug, owner }))
  } else if (action === 'list') {
    await withStore(values, (store) => list(store, output))
  } else if (action === 'delete' && id !== undefined) {
    await withStore(values, (store) => remove(store, output, id))
  } else {
    throw new CommandError(usage)
  }
  return 0
}
