import { hash, timingSafeEqual } from 'node:crypto'
import type { JoinBuilder } from 'kysely'
import type { RoleId } from '../protocol/roles.ts'
import type { Runner, Store } from './store.ts'
import { inWorkspace, prepared, preparedForAll } from './store.ts'
import type { Tables } from './tables.ts'
import { firstWorkspace } from './workspaces.ts'
import type { Write } from './write.ts'

/** Who a request comes from. */
export interface Principal {
  workspaceId: string
  keyId: string
  keyName: string
  memberId: string
  email: string
  roleId: RoleId
}

// The row is found by the id, so the secret is never part of a lookup and is compared in constant time.
const keyShape = /^hf_([0-9a-f]{16})_[A-Za-z0-9_-]{43}$/

const hashOf = (key: string): Buffer => hash('sha256', key, 'buffer')

interface KeyWithMember {
  workspace_id: string
  hash: string
  name: string
  expires_at: string | null
  revoked_at: string | null
  last_used_at: string | null
  member_id: string
  email: string
  role_id: RoleId
}

const ofKey = (join: JoinBuilder<Tables, 'keys' | 'members'>) =>
  join.onRef('members.workspace_id', '=', 'keys.workspace_id').onRef('members.id', '=', 'keys.member_id')

const selectKey = preparedForAll<{ id: string }, KeyWithMember>((db, arg) =>
  db
    .selectFrom('keys')
    .innerJoin('members', ofKey)
    .select(['keys.workspace_id', 'hash', 'keys.name', 'expires_at', 'revoked_at', 'last_used_at', 'member_id', 'email', 'role_id'])
    .where('keys.id', '=', arg('id')),
)
/** The first active owner, for whom the operator of the service acts. */
export const selectOwner = prepared<object, { member_id: string; email: string; role_id: RoleId }>((db, arg) =>
  db
    .selectFrom('members')
    .select(['id as member_id', 'email', 'role_id'])
    .where('workspace_id', '=', arg('workspace'))
    .where('role_id', '=', 'owner')
    .where('status', '=', 'active')
    .orderBy('ordinal')
    .limit(1),
)
const touch = preparedForAll<{ id: string; at: string }, unknown>((db, arg) =>
  db
    .updateTable('keys')
    .set({ last_used_at: arg('at') })
    .where('id', '=', arg('id')),
)

/** How stale `last_used_at` may be. */
const lastUseMs = 60_000
/** How long a key stays cached: a key that another process revokes works for at most this long. */
const knownMs = 1000

/** The owner of a key, and whether to record its use; or why the key is refused. */
export type Recognized = { principal: Principal; noteUse: boolean } | 'unknown' | 'expired' | 'revoked'

/** Finds out who a key belongs to. */
export interface KeyRing {
  /** The cached owner of a key; null: `authenticate` must ask the database. */
  recall(key: string, now: number): Recognized | null
  authenticate(key: string, now: number): Promise<Recognized>
  /** Clears the cache: members or keys have changed. */
  forget(): void
}

interface Known {
  hash: Buffer
  principal: Principal
  revoked: boolean
  /** Milliseconds since the epoch; Infinity: never. */
  expiresAt: number
  lastUsedAt: number
  readAt: number
}

const knownFrom = (id: string, row: KeyWithMember, now: number): Known => ({
  hash: Buffer.from(row.hash, 'hex'),
  principal: {
    workspaceId: row.workspace_id,
    keyId: id,
    keyName: row.name,
    memberId: row.member_id,
    email: row.email,
    roleId: row.role_id,
  },
  revoked: row.revoked_at !== null,
  expiresAt: row.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(row.expires_at),
  lastUsedAt: row.last_used_at === null ? Number.NEGATIVE_INFINITY : Date.parse(row.last_used_at),
  readAt: now,
})

const recognize = (known: Known | undefined, key: string, now: number): Recognized => {
  if (known === undefined || !timingSafeEqual(known.hash, hashOf(key))) return 'unknown'
  if (known.revoked) return 'revoked'
  if (known.expiresAt <= now) return 'expired'
  const noteUse = now - known.lastUsedAt >= lastUseMs
  if (noteUse) known.lastUsedAt = now
  return { principal: known.principal, noteUse }
}

/**
 * Reads keys from `store`, each at most once a second. Only keys that exist are remembered, and only as hashes. `ownerKey` is a key that the
 * owner of the first workspace has as long as the ring lives, and that is in no table.
 */
export const createKeyRing = (store: Store, ownerKey?: string): KeyRing => {
  const known = new Map<string, Known>()
  const ownerHash = ownerKey === undefined ? null : hashOf(ownerKey)
  let owner: Principal | null = null
  let generation = 0
  const isOwnerKey = (key: string) => ownerHash !== null && timingSafeEqual(ownerHash, hashOf(key))

  const authenticateOwner = async (): Promise<Recognized> => {
    const begun = generation
    const workspaceId = await firstWorkspace(store.kysely)
    if (workspaceId === null) return 'unknown'
    const [row] = await selectOwner(inWorkspace(store, workspaceId), {})
    if (row === undefined) return 'revoked'
    const principal = {
      workspaceId,
      keyId: 'owner',
      keyName: 'this computer',
      memberId: row.member_id,
      email: row.email,
      roleId: row.role_id,
    }
    if (begun === generation) owner = principal
    return { principal, noteUse: false }
  }

  return {
    recall: (key, now) => {
      if (isOwnerKey(key)) return owner === null ? null : { principal: owner, noteUse: false }
      const id = keyShape.exec(key)?.[1]
      if (id === undefined) return 'unknown'
      const entry = known.get(id)
      return entry !== undefined && now >= entry.readAt && now - entry.readAt < knownMs ? recognize(entry, key, now) : null
    },
    authenticate: async (key, now) => {
      if (isOwnerKey(key)) return authenticateOwner()
      const id = keyShape.exec(key)?.[1]
      if (id === undefined) return 'unknown'
      const begun = generation
      const [row] = await selectKey(store, { id })
      const read = row === undefined ? undefined : knownFrom(id, row, now)
      if (read === undefined) known.delete(id)
      // A key read before a change must not stay cached after it.
      else if (begun === generation) known.set(id, read)
      return recognize(read, key, now)
    },
    forget: () => {
      generation++
      known.clear()
      owner = null
    },
  }
}

/** Notes that a key was used; at most once a minute for each. */
export const noteKeyUse = async (db: Runner, id: string, at: string): Promise<void> => {
  await touch(db, { id, at })
}

/** Makes a key for a member and returns its text, which is never stored. */
export const mintKey = async (
  write: Write,
  options: { memberId: string; name: string; expiresAt: string | null; randomBytes: (length: number) => Uint8Array },
): Promise<{ id: string; key: string }> => {
  const id = Buffer.from(options.randomBytes(8)).toString('hex')
  const key = `hf_${id}_${Buffer.from(options.randomBytes(32)).toString('base64url')}`
  await write.kysely
    .insertInto('keys')
    .values({
      workspace_id: write.workspaceId,
      id,
      member_id: options.memberId,
      name: options.name,
      hash: hashOf(key).toString('hex'),
      created_at: write.at,
      expires_at: options.expiresAt,
      revoked_at: null,
      last_used_at: null,
    })
    .execute()
  return { id, key }
}

export interface KeyRow {
  workspace_id: string
  id: string
  name: string
  email: string
  created_at: string
  expires_at: string | null
  revoked_at: string | null
  last_used_at: string | null
}

/** Every key of every workspace with its owner, oldest first; never a hash. */
export const listKeys = (store: Store): Promise<KeyRow[]> =>
  store.kysely
    .selectFrom('keys')
    .innerJoin('members', ofKey)
    .select(['keys.workspace_id', 'keys.id', 'keys.name', 'email', 'keys.created_at', 'expires_at', 'revoked_at', 'last_used_at'])
    .orderBy('keys.created_at')
    .orderBy('keys.id')
    .execute()

/** Revokes a key at once. False when there is no such key. */
export const revokeKey = async (write: Write, id: string): Promise<boolean> => {
  const result = await write.kysely
    .updateTable('keys')
    .set((eb) => ({ revoked_at: eb.fn.coalesce('revoked_at', eb.val(write.at)) }))
    .where('workspace_id', '=', write.workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** The workspace of a key, or null. */
export const workspaceOfKey = async (store: Store, id: string): Promise<string | null> => {
  const row = await store.kysely.selectFrom('keys').select('workspace_id').where('id', '=', id).executeTakeFirst()
  return row?.workspace_id ?? null
}
