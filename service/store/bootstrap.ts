import type { Kysely } from 'kysely'
import { firstWorkspaceName } from '../protocol/names.ts'
import { mintKey, selectOwner } from './keys.ts'
import { addMember } from './members.ts'
import { lockMigrations } from './migrate.ts'
import type { Db, Store } from './store.ts'
import type { Tables } from './tables.ts'
import { withoutTimeout } from './without-timeout.ts'
import { firstWorkspace } from './workspaces.ts'
import { writeFirst, writeIn } from './write.ts'

/** Placeholder e-mail of the first owner: whoever started the service. */
export const firstOwner = 'owner@localhost'

/** The storage has no workspace although it should: its data were lost. */
export class MissingWorkspaceError extends Error {}

export interface BootstrapOptions {
  at: string
  /** Make a key for the owner of a workspace that exists. */
  mint: boolean
  /** The id of the workspace to make; null: none may be made. */
  workspaceId: string | null
  /** Make no key for a new workspace. */
  keyless: boolean
  randomBytes: (length: number) => Uint8Array
}

export interface NewWorkspace {
  id: string
  name: string
  slug: string
  /** E-mail of its first owner. */
  owner: string
  /** Name of the owner's key; null: make none. */
  keyName: string | null
}

/**
 * Makes a workspace with its clock, its first owner and their key, in a transaction of the caller. The commit order begins where no earlier
 * history can have come to (microseconds since 1970), so that no ETag of a workspace that had the id before matches.
 */
export const makeWorkspace = async (
  store: Store,
  trx: Kysely<Tables>,
  workspace: NewWorkspace,
  { at, randomBytes }: Pick<BootstrapOptions, 'at' | 'randomBytes'>,
): Promise<{ workspaceId: string; apiKey: string | null }> => {
  const db: Db = { kysely: trx, compiled: store.compiled, workspaceId: workspace.id }
  const clock = { seq: Date.parse(at) * 1000, epoch: Buffer.from(randomBytes(8)).toString('hex') }
  return writeFirst(db, clock, { at, by: workspace.owner }, async (write) => {
    const seq = write.nextSeq()
    const { id, name, slug, owner, keyName } = workspace
    const times = { created_at: at, updated_at: at, updated_by: owner }
    await trx
      .insertInto('workspaces')
      .values({ id, name, slug, icon: 'box', seq, ordinal: seq, ...times })
      .execute()
    const member = await addMember(write, owner, 'owner', 'active')
    if (keyName === null) return { workspaceId: id, apiKey: null }
    const { key } = await mintKey(write, { memberId: member.id, name: keyName, expiresAt: null, randomBytes })
    return { workspaceId: id, apiKey: key }
  })
}

/** Runs `work` in a transaction in which no other process makes a workspace. */
export const amongWorkspaces = <T>(store: Store, work: (trx: Kysely<Tables>) => Promise<T>): Promise<T> =>
  // It waits while another process migrates.
  withoutTimeout(store)
    .kysely.transaction()
    .execute(async (trx) => {
      await lockMigrations(store.kind, trx as unknown as Kysely<never>)
      return work(trx)
    })

const mintForOwner = async (store: Store, workspaceId: string, { at, randomBytes }: BootstrapOptions): Promise<string> =>
  writeIn(store, workspaceId, { at, by: firstOwner }, async (write) => {
    const [owner] = await selectOwner(write, {})
    if (owner === undefined) throw new Error('the workspace has no owner')
    const { key } = await mintKey(write, { memberId: owner.member_id, name: 'minted at start', expiresAt: null, randomBytes })
    return key
  })

/**
 * Makes the first workspace, its first owner and their key in an empty database, in one transaction; several
 * processes may start at once. `apiKey` is set when a key was made: at bootstrap, or because `mint` asks. Where there are several workspaces
 * it gives the oldest.
 */
export const bootstrap = async (store: Store, options: BootstrapOptions): Promise<{ workspaceId: string; apiKey: string | null }> => {
  const before = await firstWorkspace(store.kysely)
  if (before !== null) return { workspaceId: before, apiKey: options.mint ? await mintForOwner(store, before, options) : null }
  const { workspaceId } = options
  if (workspaceId === null) throw new MissingWorkspaceError('The database of the service has no workspace in it.')
  const made = await amongWorkspaces(store, async (trx) => {
    if ((await firstWorkspace(trx)) !== null) return null
    const keyName = options.keyless ? null : 'first key'
    return makeWorkspace(store, trx, { id: workspaceId, name: firstWorkspaceName, slug: 'workspace', owner: firstOwner, keyName }, options)
  })
  // Another process may have done it first.
  return made ?? bootstrap(store, options)
}
