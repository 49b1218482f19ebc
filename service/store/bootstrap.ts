import { v7 as uuid } from 'uuid'
import { mintKey } from './keys.ts'
import { addMember } from './members.ts'
import type { Store } from './store.ts'
import { writeIn } from './write.ts'

/** E-mail of the first owner, who has no mailbox: the one who started the service. */
export const firstOwner = 'owner@localhost'

/**
 * Makes the workspace, its first owner and their key in an empty database, in one transaction; several
 * processes may start at once. `apiKey` is set when a key was made: at bootstrap, or because `mint` asks.
 */
export const bootstrap = async (
  store: Store,
  options: { at: string; mint: boolean; randomBytes: (length: number) => Uint8Array },
): Promise<{ workspaceId: string; apiKey: string | null }> =>
  writeIn(store, { at: options.at, by: firstOwner }, async (write) => {
    const { kysely } = write
    const existing = await kysely.selectFrom('workspaces').select('id').executeTakeFirst()
    if (existing === undefined) {
      const epoch = Buffer.from(options.randomBytes(8)).toString('hex')
      await kysely.updateTable('clock').set({ epoch }).where('id', '=', 1).execute()
      const seq = write.nextSeq()
      const workspaceId = uuid()
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
      const owner = await addMember(write, firstOwner, 'owner', 'active')
      const { key } = await mintKey(write, { memberId: owner.id, name: 'first key', expiresAt: null, randomBytes: options.randomBytes })
      return { workspaceId, apiKey: key }
    }
    if (!options.mint) return { workspaceId: existing.id, apiKey: null }
    const owner = await kysely
      .selectFrom('members')
      .select('id')
      .where('role_id', '=', 'owner')
      .where('status', '=', 'active')
      .orderBy('ordinal')
      .executeTakeFirstOrThrow()
    const { key } = await mintKey(write, { memberId: owner.id, name: 'minted at start', expiresAt: null, randomBytes: options.randomBytes })
    return { workspaceId: existing.id, apiKey: key }
  })
