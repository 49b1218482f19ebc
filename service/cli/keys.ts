import { randomBytes } from 'node:crypto'
import { displayNameProblem } from '../protocol/names.ts'
import { noteAudit } from '../store/audit.ts'
import { listKeys, mintKey, revokeKey, workspaceOfKey } from '../store/keys.ts'
import { activateMember, findMemberByEmail } from '../store/members.ts'
import type { Store } from '../store/store.ts'
import { listWorkspaces } from '../store/workspaces.ts'
import { writeIn } from '../store/write.ts'
import { commandActor, commandRequestId } from './command-actor.ts'
import { CommandError } from './exit-message.ts'
import type { Output } from './output.ts'
import { readDays, readOptions, refuseUnused, storageOptions } from './options.ts'
import { withStore } from './with-store.ts'

const usage = `Usage: npm run service -- keys create --email EMAIL [--name NAME] [--expires-days N] [--workspace ID] (--data DIR | --database-url-file FILE)
       npm run service -- keys list (--data DIR | --database-url-file FILE)
       npm run service -- keys revoke ID (--data DIR | --database-url-file FILE)`

/** The workspace to act on: the named one, or the only one. */
const chooseWorkspace = async (store: Store, id: string | undefined): Promise<string> => {
  const all = await listWorkspaces(store)
  const [first, ...others] = id === undefined ? all : all.filter((one) => one.id === id)
  if (first === undefined && id === undefined)
    throw new CommandError('This database has no workspace. Start the service once: it makes one.')
  if (first === undefined) throw new CommandError('No workspace has this id. "workspaces list" shows all ids.')
  if (others.length > 0)
    throw new CommandError('There are several workspaces. Choose one with --workspace ID; "workspaces list" shows all ids.')
  return first.id
}

const create = async (
  store: Store,
  workspaceId: string,
  { print }: Output,
  options: { email: string; name: string; days: number | null },
): Promise<void> => {
  const now = Date.now()
  const at = new Date(now).toISOString()
  const expiresAt = options.days === null ? null : new Date(now + options.days * 86_400_000).toISOString()
  const made = await writeIn(store, workspaceId, { at, by: commandActor.email }, async (write) => {
    const member = await findMemberByEmail(write, options.email)
    if (member === null) throw new CommandError(`${options.email} isn’t a member of this workspace. Invite them first.`)
    await activateMember(write, member)
    const key = await mintKey(write, { memberId: member.id, name: options.name, expiresAt, randomBytes })
    noteAudit(write, commandActor, commandRequestId, {
      action: 'key.create',
      resource: 'key',
      resourceId: key.id,
      detail: { email: member.email, name: options.name, expiresAt },
    })
    return key
  })
  print({ workspaceId, id: made.id, email: options.email, name: options.name, expiresAt, apiKey: made.key })
}

const revoke = async (store: Store, { print }: Output, id: string): Promise<void> => {
  const at = new Date().toISOString()
  const workspaceId = await workspaceOfKey(store, id)
  if (workspaceId === null) throw new CommandError('No key has this id. "keys list" shows all ids.')
  await writeIn(store, workspaceId, { at, by: commandActor.email }, async (write) => {
    if (!(await revokeKey(write, id))) throw new CommandError('No key has this id. "keys list" shows all ids.')
    noteAudit(write, commandActor, commandRequestId, { action: 'key.revoke', resource: 'key', resourceId: id })
  })
  print({ id, revoked: true })
}

const list = async (store: Store, { print }: Output): Promise<void> => {
  for (const key of await listKeys(store)) {
    print({
      workspaceId: key.workspace_id,
      id: key.id,
      email: key.email,
      name: key.name,
      createdAt: key.created_at,
      expiresAt: key.expires_at,
      revokedAt: key.revoked_at,
      lastUsedAt: key.last_used_at,
    })
  }
}

/** `keys create`, `keys list`, `keys revoke`: one line of JSON on stdout for each key. The service may be running. */
export const keys = async (args: readonly string[], output: Output): Promise<number> => {
  const options = {
    ...storageOptions,
    email: { type: 'string' },
    name: { type: 'string' },
    'expires-days': { type: 'string' },
    workspace: { type: 'string' },
  } as const
  const { values, positionals } = readOptions(args, options, usage, { words: true })
  const [action, id, ...more] = positionals
  if (more.length > 0 || (action !== 'revoke' && id !== undefined)) throw new CommandError(usage)
  refuseUnused(values, action === 'create' ? Object.keys(options) : [], usage)
  const { email, name = 'key', workspace } = values
  const days = readDays(values['expires-days'])
  const problem = displayNameProblem(name)
  if (problem !== null) throw new CommandError(problem)
  if (action === 'create') {
    if (email === undefined) throw new CommandError(`Set the member with --email.\n${usage}`)
    await withStore(values, async (store) => create(store, await chooseWorkspace(store, workspace), output, { email, name, days }))
  } else if (action === 'list') {
    await withStore(values, (store) => list(store, output))
  } else if (action === 'revoke' && id !== undefined) {
    await withStore(values, (store) => revoke(store, output, id))
  } else {
    throw new CommandError(usage)
  }
  return 0
}
