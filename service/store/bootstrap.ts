import type { Kysely } from 'kysely'
import { mintKey, selectOwner } from './keys.ts'
import { addMember } from './members.ts'
import type { Store } from './store.ts'
import type { Tables } from './tables.ts'
import type { Write } from './write.ts'
import { writeIn } from './write.ts'

/** E-mail of the first owner, who has no mailbox: the one who started the service. */
export const firstOwner = 'owner@localhost'

/** The storage has no workspace where there must be one: its data were lost. */
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

const makeWorkspace = async (write: Write, { workspaceId, randomBytes }: BootstrapOptions): Promise<string> => {
  if (workspaceId === null) throw new MissingWorkspaceError('The database of the service has no workspace in it.')
  const { kysely } = write
  const epoch = Buffer.from(randomBytes(8)).toString('hex')
  await kysely.updateTable('clock').set({ epoch }).where('id', '=', 1).execute()
  const seq = write.nextSeq()
  await kysely
    .insertInto('workspaces')
    .values({
      id: workspaceId,
      name: 'Workspace',
      slug: 'workspace',
      icon: 'box',
      seq,
      ordinal: seq,
      created_at: write.at,
      updated_at: write.at,
      updated_by: write.by,
    })
    .execute()
  return workspaceId
}

const mintFor = async (write: Write, memberId: string, name: string, { randomBytes }: BootstrapOptions): Promise<string> => {
  const { key } = await mintKey(write, { memberId, name, expiresAt: null, randomBytes })
  return key
}

/**
 * Makes the workspace, its first owner and their key in an empty database, in one transaction; several
 * processes may start at once. `apiKey` is set when a key was made: at bootstrap, or because `mint` asks.
 */
export const bootstrap = async (store: Store, options: BootstrapOptions): Promise<{ workspaceId: string; apiKey: string | null }> => {
  const before = await findWorkspace(store.kysely)
  if (before !== undefined && !options.mint) return { workspaceId: before.id, apiKey: null }
  return writeIn(store, { at: options.at, by: firstOwner }, async (write) => {
    const existing = await findWorkspace(write.kysely)
    if (existing === undefined) {
      const workspaceId = await makeWorkspace(write, options)
      const owner = await addMember(write, firstOwner, 'owner', 'active')
      return { workspaceId, apiKey: options.keyless ? null : await mintFor(write, owner.id, 'first key', options) }
    }
    if (!options.mint) return { workspaceId: existing.id, apiKey: null }
    const [owner] = await selectOwner(write, {})
    if (owner === undefined) throw new Error('the workspace has no owner')
    return { workspaceId: existing.id, apiKey: await mintFor(write, owner.member_id, 'minted at start', options) }
  })
}

const findWorkspace = (kysely: Kysely<Tables>) => kysely.selectFrom('workspaces').select('id').executeTakeFirst()
