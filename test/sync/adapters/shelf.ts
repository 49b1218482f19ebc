import { v7 as uuid } from 'uuid'
import { createWorkspaceCipher } from '../../../electron/cipher/workspace-cipher.ts'
import type { BaseRow, Change, Operation, RowKind } from '../../../electron/queue/entry.ts'
import type { Fields } from '../../../electron/queue/fields.ts'
import { naturalKey } from '../../../electron/queue/natural-key.ts'
import { createRemote } from '../../../electron/remote/create-remote.ts'
import { connectService } from '../../../electron/sync/adapters/connect-service.ts'
import type {
  Delta,
  Failure,
  Known,
  PushItem,
  RemoteMemberRow,
  RemoteParent,
  RemoteRow,
  RemoteVersionRow,
  SyncPort,
} from '../../../electron/sync/port.ts'

export const key = new Uint8Array(32).fill(7)
export const cipher = createWorkspaceCipher(key)

/** The port to a service at an address. */
export const portTo = (baseUrl: string, apiKey: string, timeoutMs = 20_000): SyncPort =>
  connectService({ remote: createRemote({ baseUrl, apiKey: () => apiKey, fetch, timeoutMs }), cipher, kept: null })

/** What a mirror knows of a service: everything that was pulled, under its remote id. */
export class Shelf implements Known {
  readonly base = new Map<string, BaseRow>()
  readonly memberRows = new Map<string, RemoteMemberRow>()
  readonly versionRows = new Map<string, RemoteVersionRow>()
  roles: readonly { id: string }[] = []
  tracked: { id: string | null; kind: RowKind; parent: string | null; key: string }[] = []
  cursor: string | null = null
  /** How pages were sized, and which tracked names were answered, in the last pull. */
  pages: number[] = []
  answered: Record<string, string> = {}
  restarts = 0

  rows = (kind: RowKind, parentRemoteId: string | null): BaseRow[] =>
    [...this.base.values()].filter((row) => row.kind === kind && row.parentId === parentRemoteId)
  trackedNames = (kind: RowKind, parentRemoteId: string | null) =>
    this.tracked.filter((each) => each.kind === kind && each.parent === parentRemoteId)
  versions = (environmentRemoteId: string): string[] =>
    [...this.versionRows.values()].flatMap((row) => (row.environmentRemoteId === environmentRemoteId ? [row.remoteId] : []))
  unchanged = (): Set<string> => new Set()
  members = (): string[] => [...this.memberRows.keys()]

  /** Pulls and keeps everything; gives the failure that ended it. */
  async pull(port: SyncPort, environment?: RemoteParent): Promise<Failure | null> {
    this.pages = []
    this.answered = {}
    for await (const page of port.pull(this.cursor, this, environment)) {
      if (!page.ok) return page.error
      this.pages.push(page.value.deltas.length)
      this.restarts += Number(page.value.restarted)
      for (const delta of page.value.deltas) this.#keep(delta)
      this.cursor = page.value.cursor
    }
    return null
  }

  #keep(delta: Delta): void {
    if (delta.is === 'row') this.put(delta.row)
    if (delta.is === 'version') this.versionRows.set(delta.version.remoteId, delta.version)
    if (delta.is === 'member') this.memberRows.set(delta.member.remoteId, delta.member)
    if (delta.is === 'roles') this.roles = delta.roles
    if (delta.is === 'tracked') this.answered[this.tracked.find(({ id }) => id === delta.id)?.key ?? '?'] = delta.state
    if (delta.is !== 'deleted') return
    this.versionRows.delete(delta.remoteId)
    this.memberRows.delete(delta.remoteId)
    this.#drop(delta.remoteId)
  }

  #drop(remoteId: string): void {
    this.base.delete(remoteId)
    for (const row of this.base.values()) if (row.parentId === remoteId) this.#drop(row.remoteId)
  }

  put(row: RemoteRow): void {
    const { parentRemoteId, fields, ...rest } = row
    const known = this.base.get(row.remoteId)
    this.base.set(row.remoteId, { id: row.remoteId, parentId: parentRemoteId, ...rest, fields: { ...known?.fields, ...fields } })
  }

  /** The row of this path: `project`, `project/environment` or `project/environment/NAME`. */
  at(path: string): BaseRow {
    const kinds = ['project', 'environment', 'variable'] as const
    let row: BaseRow | undefined
    for (const [depth, key] of path.split('/').entries()) {
      row = this.rows(kinds[depth] ?? 'variable', row?.remoteId ?? null).find((each) => naturalKey(each.kind, each.fields) === key)
      if (row === undefined) throw new Error(`nothing at ${path}`)
    }
    if (row === undefined) throw new Error('no path')
    return row
  }

  /** Every path, with the value of variables. */
  contents(parent: string | null = null, above = ''): Record<string, string> {
    const rows = (['project', 'environment', 'variable'] as const).flatMap((kind) => this.rows(kind, parent))
    return Object.assign(
      {},
      ...rows.map((row) => {
        const path = above + (naturalKey(row.kind, row.fields) ?? '?')
        return { [path]: cipher.open(row.fields.value?.sealed ?? '') ?? '', ...this.contents(row.remoteId, `${path}/`) }
      }),
    ) as Record<string, string>
  }

  /** A row as the parent of others. */
  parentOf(row: BaseRow): RemoteParent {
    const slug = row.fields.slug ?? ''
    const above = row.parentId === null ? undefined : this.base.get(row.parentId)
    return {
      remoteId: row.remoteId,
      path: above === undefined ? { project: slug, environment: '' } : { project: above.fields.slug ?? '', environment: slug },
    }
  }

  #above(row: BaseRow): RemoteParent | null {
    const parent = row.parentId === null ? undefined : this.base.get(row.parentId)
    return parent === undefined ? null : this.parentOf(parent)
  }

  create(kind: RowKind, parent: BaseRow | null, patch: Fields): PushItem {
    const entry = changeOf({ kind: 'create', rowKind: kind, remoteId: uuid(), patch })
    return { ...nothing, entry, parent: parent && this.parentOf(parent) }
  }

  update(row: BaseRow, patch: Fields): PushItem {
    return {
      ...nothing,
      entry: changeOf({ kind: 'update', rowKind: row.kind, patch, base: row.fields }),
      base: row,
      parent: this.#above(row),
    }
  }

  move(row: BaseRow, to: BaseRow, patch: Fields = {}): PushItem {
    const item = this.update(row, { ...patch, parent: to.id })
    return { ...item, parent: this.parentOf(to), from: this.#above(row) }
  }

  remove(row: BaseRow, seen: string | null = null): PushItem {
    return {
      ...nothing,
      entry: changeOf({ kind: 'delete', rowKind: row.kind, base: row.fields }),
      base: row,
      parent: this.#above(row),
      seen,
    }
  }

  operation(operation: Omit<Operation, keyof typeof life>, rest: Partial<PushItem> = {}): PushItem {
    return { ...nothing, entry: { ...life, id: uuid(), ...operation } as Operation, ...rest }
  }
}

const life = {
  seq: 1,
  id: '',
  rowId: 'row',
  ancestors: [],
  state: 'sending',
  attempts: 1,
  nextAttemptAt: null,
  reason: null,
  conflict: null,
  createdAt: 0,
} as const
const nothing = { base: null, parent: null, from: null, remoteId: null, member: null, seen: null }

const changeOf = (change: Pick<Change, 'kind' | 'rowKind'> & Partial<Change>): Change => ({
  ...life,
  id: uuid(),
  remoteId: null,
  leaves: [],
  seen: null,
  patch: {},
  base: null,
  ...change,
})

/** The fields of a variable. */
export const variable = (name: string, plain: string): Fields => ({ name, value: cipher.seal(plain), type: 'string', isSecret: false })
