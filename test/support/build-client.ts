import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createParent, deleteParent, updateParent } from '../../electron/app/edits/edit-parents.ts'
import { listHistory } from '../../electron/app/history/list-history.ts'
import { inviteMember, removeMember, setRole } from '../../electron/app/members/edit-members.ts'
import { listMembers, listRoles } from '../../electron/app/members/list-members.ts'
import { rowsOfQueue, toConflictRow } from '../../electron/app/queue/describe-change.ts'
import { discardChange } from '../../electron/app/queue/discard-change.ts'
import { resolveOperation } from '../../electron/app/queue/resolve-operation.ts'
import { resolveConflict, type Choice } from '../../electron/app/queue/resolve-conflict.ts'
import { retryChange } from '../../electron/app/queue/retry-change.ts'
import { createVariable, deleteVariable, updateVariable } from '../../electron/app/variables/edit-variable.ts'
import { createVersion, rollBack } from '../../electron/app/versions/edit-versions.ts'
import { listVersions } from '../../electron/app/versions/list-versions.ts'
import { previewRollback } from '../../electron/app/versions/show-version.ts'
import { ok, type Result } from '../../electron/bridge/result.ts'
import type {
  ConflictRow,
  HistoryRow,
  MemberList,
  QueueRow,
  RoleList,
  RollbackPreview,
  VersionList,
  VersionRow,
} from '../../electron/bridge/rows.ts'
import { policyOf, valueRules } from '../../electron/app/workspaces/value-rules.ts'
import { isUnverified } from '../../electron/cipher/stored-value.ts'
import { createWorkspaceCipher } from '../../electron/cipher/workspace-cipher.ts'
import { historyEntries } from '../../electron/mirror/history-layer.ts'
import type { Mirror } from '../../electron/mirror/mirror.ts'
import { openMirror } from '../../electron/mirror/open-mirror.ts'
import { allEntries, getEntry } from '../../electron/mirror/queue-layer.ts'
import { getVersion, variablesOfVersion } from '../../electron/mirror/versions-layer.ts'
import { build, type Tx } from '../../electron/mirror/tx.ts'
import { checkWorking, findWorking, getWorking, workingChildren } from '../../electron/mirror/working-layer.ts'
import { createRemote } from '../../electron/remote/create-remote.ts'
import type { Remote } from '../../electron/remote/remote.ts'
import { isOperation, type Operation, type Change, type Row, type RowKind } from '../../electron/queue/entry.ts'
import { continueBinding, endBinding } from '../../electron/app/unverified/bind-values.ts'
import { noteProfile, readProfile } from '../../electron/app/capabilities/keep-profile.ts'
import { connectService } from '../../electron/sync/adapters/connect-service.ts'
import { hasRoom } from '../../electron/app/workspaces/start-sync.ts'
import { createEngine } from '../../electron/sync/engine/create-engine.ts'
import type { EngineDeps } from '../../electron/sync/engine/engine-deps.ts'
import type { Engine } from '../../electron/sync/engine/engine.ts'
import type { SyncPort } from '../../electron/sync/port.ts'
import { putFreshMirror } from './fresh-databases.ts'
import type { StartedService } from './start-service.ts'
import { seenNow } from '../../electron/mirror/past-layer.ts'

export interface NetworkRequest {
  method: string
  path: string
  /** Empty where there is none. */
  body?: string
  /** Of `POST /changes`: what each of them does, as `create version` or `rollback version`. */
  changes?: string[]
}

/** What the network does with one request: called instead of fetch, `forward` is the real one. */
export type Network = (forward: () => Promise<Response>, request: NetworkRequest) => Promise<Response>

/** Whether a request sends such a change. */
export const sends = (change: string, { changes = [] }: NetworkRequest): boolean => changes.includes(change)

const pass: Network = (forward) => forward()

/** No connection at all, as Node says it. */
export const unreachable: Network = () =>
  Promise.reject(Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) }))

/** The server acts, and its answer is lost. */
export const loseAnswer: Network = async (forward) => {
  await (await forward()).arrayBuffer()
  throw Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) })
}

/** The answer to the first write is lost, and the service then refuses to show any record: the write can't be reconciled. */
export function loseThenRefuseReads(): Network {
  let isSent = false
  return (forward, request) => {
    if (isSent && !request.path.endsWith('/workspace')) return Promise.resolve(Response.json({}, { status: 403 }))
    if (request.method === 'GET') return forward()
    isSent = true
    return loseAnswer(forward, request)
  }
}

export interface ClientOptions {
  service: Pick<StartedService, 'url' | 'apiKey' | 'workspaceId'>
  /** The workspace key; the same for all clients that shall read each other. */
  key: Uint8Array
  /** Whether it takes nothing but bound values; unless said, whatever a service shows. */
  values?: 'bound'
  /** Ids and jitter, so that a run can be repeated. */
  random: () => number
  /** Where its folder is made; the system's folder for temporary files unless said. */
  parent?: string
  /** What carries a request to the service; real HTTP unless said. */
  fetch?: typeof fetch
  /** Milliseconds since the epoch; the real time unless said. */
  now?: () => number
  /** How often it probes a service that it cannot reach. */
  probeMs?: number
  log?: EngineDeps['log']
  /** Called with every mirror that is opened; gives the one the engine and the edits see. */
  watch?: (mirror: Mirror) => Mirror
  /** How little of a queue is looked at and sent at a time; what the adapter says unless said. */
  batch?: { entries: number; window: number }
}

/** The same port, that sends less at a time. */
const narrowed = (port: SyncPort, batch: ClientOptions['batch']): SyncPort =>
  batch === undefined
    ? port
    : new Proxy(port, {
        get: (target, name): unknown => (name === 'batch' ? { ...target.batch, ...batch } : Reflect.get(target, name)),
      })

/**
 * One Holdfast without its shell: a real database file, the real engine, real HTTP, and the edits the
 * page makes. Only time, randomness and what the network does to a request are in the test's hands.
 */
export class TestClient {
  readonly dir: string
  readonly cipher: ReturnType<typeof createWorkspaceCipher>
  readonly #options: ClientOptions
  network: Network = pass
  /** Milliseconds that the clock is ahead of the real one. */
  skew = 0
  apiKey: string
  mirror: Mirror
  engine: Engine
  /** The tables that open screens were told to ask for again. */
  readonly told = new Set<string>()
  /** Set with the engine, by `#start`. */
  #remote!: Remote
  #port!: SyncPort
  #ids = 0

  constructor(options: ClientOptions) {
    this.#options = options
    this.dir = mkdtempSync(join(options.parent ?? tmpdir(), 'holdfast-client-'))
    this.apiKey = options.service.apiKey
    this.cipher = createWorkspaceCipher(options.key)
    this.mirror = this.#open()
    this.engine = this.#start()
  }

  now = (): number => (this.#options.now ?? Date.now)() + this.skew

  newId = (): string => {
    this.#ids += 1
    const random = Math.floor(this.#options.random() * 2 ** 40)
    const hex = (n: number, length: number) => n.toString(16).padStart(length, '0')
    return `${hex(this.#ids, 8)}-0000-7000-8000-${hex(random, 12)}`
  }

  #open(): Mirror {
    const file = join(this.dir, 'mirror.sqlite')
    putFreshMirror(file)
    const opened = openMirror(file)
    if (!opened.ok) throw new Error(opened.error.message)
    return this.#options.watch?.(opened.value) ?? opened.value
  }

  get url(): string {
    return this.#options.service.url
  }

  get workspaceId(): string {
    return this.#options.service.workspaceId
  }

  /** What carries every request of this client. */
  fetch: typeof fetch = (input, init) => {
    const send = this.#options.fetch ?? fetch
    return this.network(() => send(input, init), requestOf(input, init))
  }

  /** What the service cannot do, as far as this client has found out; one sentence each. */
  limits(): string[] {
    return this.#remote.profile()?.missing ?? []
  }

  #start(): Engine {
    const remote = createRemote({
      baseUrl: this.#options.service.url,
      apiKey: () => this.apiKey,
      fetch: this.fetch,
      timeoutMs: 60_000,
    })
    this.#remote = remote
    const info = { values: this.#options.values, remoteId: this.#options.service.workspaceId }
    const rules = valueRules(info, this.mirror, this.cipher)
    const port = connectService({ remote, cipher: this.cipher, rules, kept: this.mirror.snapshot(readProfile) })
    this.#port = narrowed(port, this.#options.batch)
    const { mirror } = this
    const engine = createEngine({
      mirror: this.mirror,
      port: this.#port,
      remoteWorkspaceId: this.#options.service.workspaceId,
      now: this.now,
      random: this.#options.random,
      newId: this.newId,
      log: this.#options.log ?? (() => undefined),
      hasRoom: () => hasRoom(this.dir),
      onChange: (tables) => {
        tables.forEach((table) => this.told.add(table))
      },
      onSynced: () => {
        noteProfile(mirror, remote)
        endBinding(mirror, this.cipher)
      },
      pollMs: 3_600_000,
      ...(this.#options.probeMs !== undefined && { probeMs: this.#options.probeMs }),
    })
    return engine
  }

  /** As a crash and a new start would: nothing but the file survives. */
  restart(): void {
    this.mirror.close()
    this.mirror = this.#open()
    this.engine = this.#start()
  }

  /** The service as the engine sees it. */
  get port(): SyncPort {
    return this.#port
  }

  /** The client of the service that the engine uses. */
  get remote(): Remote {
    return this.#remote
  }

  /** Reads one record by itself, as any work does sooner or later: from then on a server that gives ETags is known to heed them. */
  async readOne(project: string): Promise<void> {
    const read = await this.#remote.getProject(project)
    if (!read.ok) throw new Error(read.error.message)
  }

  /** One round, well or not. */
  async sync(): Promise<void> {
    this.engine.start()
    await this.engine.syncNow()
    await continueBinding(this.mirror, this.cipher, this.#context)
    await this.engine.stop()
  }

  async close(): Promise<void> {
    await this.engine.stop()
    this.mirror.close()
    rmSync(this.dir, { recursive: true, force: true })
  }

  /** One edit of the user in one transaction; a refusal rolls it back, as the application does. */
  #edit<T>(work: (tx: Tx) => Result<T>): Result<T> {
    let refused: Result<T> | null = null
    try {
      return this.mirror.write((tx) => {
        const outcome = work(tx)
        if (outcome.ok) return outcome
        refused = outcome
        throw new Error('refused')
      })
    } catch (error) {
      if (refused !== null) return refused
      throw error
    }
  }

  #context = () => ({ now: this.now(), newId: this.newId })

  createProject(name: string) {
    return this.#edit((tx) => createParent(tx, this.#context(), 'project', null, { name }))
  }

  createEnvironment(project: string, name: string) {
    return this.#edit((tx) => createParent(tx, this.#context(), 'environment', this.find('project', null, project).id, { name }))
  }

  updateParent(kind: 'project' | 'environment', id: string, input: { name?: string; slug?: string }) {
    return this.#edit((tx) => updateParent(tx, this.#context(), kind, id, seenNow, input))
  }

  deleteParent(kind: 'project' | 'environment', id: string) {
    return this.#edit((tx) => deleteParent(tx, this.#context(), kind, id, seenNow))
  }

  setVariable(environmentId: string, name: string, value: string): void {
    const existing = this.mirror.snapshot((tx) => findWorking(tx, 'variable', environmentId, name))
    const result: Result<unknown> = this.#edit<unknown>((tx) =>
      existing === null
        ? createVariable(tx, this.#context(), this.cipher, { environmentId, name, value, type: 'string', isSecret: false })
        : updateVariable(tx, this.#context(), this.cipher, { id: existing.id, seen: seenNow, value }),
    )
    if (!result.ok) throw new Error(result.error.message)
  }

  renameVariable(environmentId: string, from: string, to: string) {
    const { id } = this.find('variable', environmentId, from)
    return this.#edit((tx) => updateVariable(tx, this.#context(), this.cipher, { id, seen: seenNow, name: to }))
  }

  deleteVariable(environmentId: string, name: string): void {
    this.deleteRow(this.find('variable', environmentId, name).id)
  }

  deleteRow(id: string): void {
    this.mirror.write((tx) => deleteVariable(tx, this.#context(), id, seenNow))
  }

  updateVariable(id: string, input: { name?: string; value?: string; type?: 'string' | 'number' | 'boolean'; isSecret?: boolean }) {
    return this.#edit((tx) => updateVariable(tx, this.#context(), this.cipher, { id, seen: seenNow, ...input }))
  }

  discard(changeId: string) {
    return this.#edit((tx) => discardChange(tx, this.#context(), changeId))
  }

  retry(changeId: string) {
    return this.#edit((tx) => retryChange(tx, changeId, this.newId, ok(this.cipher)))
  }

  resolve(changeId: string, choice: Choice) {
    return this.#edit((tx) => {
      const change = getEntry(tx, changeId)
      if (change === null) throw new Error('no such change')
      if (isOperation(change)) return resolveOperation(tx, this.#context(), change, choice)
      return resolveConflict(tx, this.#context(), this.cipher, change, choice)
    })
  }

  snapshot(environmentId: string, input: { label?: string; note?: string } = {}): Result<{ id: string }> {
    return this.#edit((tx) => createVersion(tx, this.#context(), { environmentId, ...input }))
  }

  versions(environmentId: string): VersionList {
    return this.mirror.snapshot((tx) => listVersions(tx, environmentId))
  }

  /** A version by its label, as the list shows it. */
  version(environmentId: string, label: string): VersionRow {
    const row = this.versions(environmentId).rows.find((version) => version.label === label)
    if (row === undefined) throw new Error(`no version ${label}`)
    return row
  }

  /** What a mirrored version holds, by name, whether it is verified or not. */
  savedIn(versionId: string): { name: string; value: string | null }[] {
    const variables = this.mirror.snapshot((tx) => variablesOfVersion(tx, versionId))
    return variables.map(({ name, value }) => ({ name, value: this.cipher.openUnverified(value.sealed) }))
  }

  preview(versionId: string): RollbackPreview {
    const preview = this.mirror.snapshot((tx) => previewRollback(tx, versionId))
    if (!preview.ok) throw new Error(preview.error.message)
    return preview.value
  }

  /** Queues a rollback; the preview it is agreed to is made now unless given. */
  rollBack(versionId: string, fingerprint = this.preview(versionId).fingerprint): Result<{ changeId: string }> {
    return this.#edit((tx) => rollBack(tx, this.#context(), { versionId, fingerprint }))
  }

  /** The server's id of a version, or null. */
  remoteIdOfVersion(id: string): string | null {
    return this.mirror.snapshot((tx) => getVersion(tx, id))?.remote_id ?? null
  }

  /** Which values it takes. */
  policy(): 'open' | 'binding' | 'bound' {
    return policyOf({ values: this.#options.values }, this.mirror)
  }

  /** Every variable whose value is Unverified, as the user sees it. */
  unverified(): Row[] {
    const rows = this.children('project', null).flatMap(({ id }) => this.below(id))
    return rows.filter(({ fields }) => fields.value !== undefined && isUnverified(fields.value.sealed))
  }

  /** Values of an environment that the local history keeps, newest first. */
  kept(environmentId: string): HistoryRow[] {
    return this.mirror.snapshot((tx) => listHistory(tx, { environmentId, variableId: null, isOwn: false }).rows)
  }

  /** What one of them is, sealed. */
  keptValue(entry: number): string | undefined {
    return this.mirror.snapshot((tx) => historyEntries(tx, [entry]))[0]?.sealed
  }

  members(): MemberList {
    return this.mirror.snapshot(listMembers)
  }

  roles(): RoleList {
    return this.mirror.snapshot(listRoles)
  }

  invite(email: string, roleId: string): Result<{ id: string }> {
    return this.#edit((tx) => inviteMember(tx, this.#context(), { email, roleId }))
  }

  setRole(id: string, roleId: string): Result<null> {
    const seen = this.members().rows.find((member) => member.id === id)?.roleId ?? ''
    return this.#edit((tx) => setRole(tx, this.#context(), { id, seen, roleId }))
  }

  removeMember(id: string): Result<null> {
    return this.#edit((tx) => removeMember(tx, this.#context(), id))
  }

  /** The queue as the page lists it. */
  queueRows(): QueueRow[] {
    return this.mirror.snapshot((tx) => {
      const entries = allEntries(tx)
      return entries.map(rowsOfQueue(tx, entries))
    })
  }

  conflict(changeId: string): ConflictRow | null {
    return this.mirror.snapshot((tx) => {
      const queued = getEntry(tx, changeId)
      return queued && toConflictRow(tx, queued, this.cipher, { reveal: true, maskAll: false })
    })
  }

  /** A row as the user sees it, by its natural key. */
  find(kind: RowKind, parentId: string | null, key: string): Row {
    const row = this.mirror.snapshot((tx) => findWorking(tx, kind, parentId, key))
    if (row === null) throw new Error(`no ${kind} ${key}`)
    return row
  }

  children(kind: RowKind, parentId: string | null): Row[] {
    return this.mirror.snapshot((tx) => workingChildren(tx, kind, parentId))
  }

  /** Every row below one, as the user sees them. */
  below(parentId: string): Row[] {
    const children = (['environment', 'variable'] as const).flatMap((kind) => this.children(kind, parentId))
    return children.flatMap((child) => [child, ...this.below(child.id)])
  }

  /** The values, sealed, that the service was last seen to have in a project or environment, deleted here or not. */
  baseBelow(id: string): string[] {
    const below = this.mirror.snapshot((tx) => tx.all(build.selectFrom('base').select(['id', 'sealed']).where('parent_id', '=', id)))
    return below.flatMap(({ id: child, sealed }) => [...(sealed === null ? [] : [sealed]), ...this.baseBelow(child)])
  }

  /** Whether the user sees a row. */
  shows(id: string): boolean {
    return this.mirror.snapshot((tx) => getWorking(tx, id)) !== null
  }

  /** The local id of a record of the server, or null. */
  localIdOf(remoteId: string): string | null {
    return this.mirror.snapshot((tx) => tx.get(build.selectFrom('base').select('id').where('remote_id', '=', remoteId)))?.id ?? null
  }

  /** The server's id of a row, or null. */
  remoteIdOf(id: string): string | null {
    return this.mirror.snapshot((tx) => tx.get(build.selectFrom('base').select('remote_id').where('id', '=', id)))?.remote_id ?? null
  }

  /** All that is queued. */
  entries(): (Change | Operation)[] {
    return this.mirror.snapshot(allEntries)
  }

  /** The unsent changes of rows. */
  queue(): Change[] {
    return this.entries().filter((queued): queued is Change => !isOperation(queued))
  }

  /** The unsent snapshots, rollbacks and changes of members. */
  operations(): Operation[] {
    return this.entries().filter(isOperation)
  }

  /** Rows of the working layer that differ from a rebuild; none when all is well. */
  drift(): string[] {
    return this.mirror.snapshot(checkWorking)
  }

  /** All a user sees: `project/environment/NAME` -> plaintext. */
  contents(): Record<string, string> {
    const seen: Record<string, string> = {}
    for (const project of this.children('project', null)) {
      seen[project.fields.slug ?? '?'] = ''
      for (const environment of this.children('environment', project.id)) {
        seen[`${project.fields.slug}/${environment.fields.slug}`] = ''
        for (const variable of this.children('variable', environment.id)) {
          const sealed = variable.fields.value?.sealed ?? ''
          seen[`${project.fields.slug}/${environment.fields.slug}/${variable.fields.name}`] = this.cipher.open(sealed) ?? '(unreadable)'
        }
      }
    }
    return Object.fromEntries(Object.entries(seen).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }

  /** The values that the service showed of what is tracked, sealed, those below a deleted environment too. */
  sealedInBase(): string[] {
    return this.mirror.snapshot((tx) => tx.all(build.selectFrom('base').select('sealed'))).flatMap(({ sealed }) => sealed ?? [])
  }

  /** Every row the user sees, in the words of the server: to hold against what the server stores. */
  rowsAsStored(plain: (sealed: string | undefined) => string): string[] {
    const remote = new Map(
      this.mirror.snapshot((tx) => tx.all(build.selectFrom('base').select(['id', 'remote_id']))).map((row) => [row.id, row.remote_id]),
    )
    const idOf = (id: string | null) => (id === null ? null : (remote.get(id) ?? id))
    const rows = this.mirror.snapshot((tx) => tx.all(build.selectFrom('working').selectAll()))
    return rows
      .map((row) => {
        if (row.kind === 'project') return `project ${idOf(row.id)} ${row.name} ${row.slug}`
        if (row.kind === 'environment') return `environment ${idOf(row.id)} in ${idOf(row.parent_id)}: ${row.name} ${row.slug}`
        return `variable ${idOf(row.id)} in ${idOf(row.parent_id)}: ${row.name} ${plain(row.sealed ?? undefined)} ${row.type} ${row.is_secret}`
      })
      .toSorted()
  }

  historyOf(rowId: string): { whose: string; value: string | null }[] {
    return this.mirror
      .snapshot((tx) => tx.all(build.selectFrom('history').selectAll().where('row_id', '=', rowId).orderBy('seq')))
      .map(({ whose, sealed }) => ({ whose, value: this.cipher.open(sealed) }))
  }
}

function requestOf(input: Parameters<typeof fetch>[0], init: RequestInit | undefined): NetworkRequest {
  const { pathname: path } = new URL(input instanceof Request ? input.url : input)
  const method = init?.method ?? 'GET'
  const body = typeof init?.body === 'string' ? init.body : ''
  if (method !== 'POST' || !path.endsWith('/changes') || body === '') return { method, path, body }
  const { changes } = JSON.parse(body) as { changes: { op: string; resource: string }[] }
  return { method, path, body, changes: changes.map(({ op, resource }) => `${op} ${resource}`) }
}
