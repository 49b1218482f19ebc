import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import type { Result } from '../../electron/bridge/result.ts'
import { startFuzzService } from '../fuzz/fuzz-service.ts'
import { loseAnswer, TestClient, unreachable, type Network } from '../support/build-client.ts'
import { seededRandom } from '../support/seeded-random.ts'

const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
const names = ['A', 'B', 'C', 'D']
const connected: Network = (forward) => forward()
/** Nothing here is ever refused. */
const taken = (result: Result<unknown>): void => {
  if (!result.ok) throw new Error(result.error.message)
}
const failing: Network = () => Promise.resolve(Response.json({ success: false, code: 500, message: 'No.', data: {} }, { status: 500 }))

/**
 * One user's history of edits, snapshots and rollbacks, while the network loses requests and answers, and the application is killed.
 * What it must come to is simple: everything happens, once, in the order the user did it.
 */
class History {
  readonly #client: TestClient
  readonly #random: () => number
  readonly #prod: string
  /** What the environment holds once everything is sent, and what each snapshot does, by label. */
  #contents = new Map<string, string>()
  readonly #versions = new Map<string, Map<string, string>>()
  readonly trace: string[] = []

  constructor(client: TestClient, random: () => number) {
    this.#client = client
    this.#random = random
    client.createProject('Shop')
    client.createEnvironment('shop', 'Prod')
    this.#prod = client.find('environment', client.find('project', null, 'shop').id, 'prod').id
  }

  #pick<T>(items: readonly T[]): T {
    // Never asked of an empty list.
    return items[Math.floor(this.#random() * items.length)] as T
  }

  async play(steps: number): Promise<void> {
    for (let n = 0; n < steps; n += 1) {
      const dice = this.#random()
      if (dice < 0.4) this.#set(`${n}`)
      else if (dice < 0.5) this.#delete()
      else if (dice < 0.62) this.#snapshot(`s${n}`)
      else if (dice < 0.74) this.#rollBack()
      else await this.#sync()
    }
    for (let rounds = 0; rounds < 12; rounds += 1) {
      this.#client.network = connected
      this.#client.skew += 3_600_000
      await this.#client.sync()
      this.#decide()
    }
  }

  #set(value: string): void {
    const name = this.#pick(names)
    this.trace.push(`${name} = ${value}`)
    this.#client.setVariable(this.#prod, name, value)
    this.#contents.set(name, value)
  }

  #delete(): void {
    const there = this.#client.children('variable', this.#prod).flatMap((row) => row.fields.name ?? [])
    if (there.length === 0) return
    const name = this.#pick(there)
    this.trace.push(`delete ${name}`)
    this.#client.deleteVariable(this.#prod, name)
    this.#contents.delete(name)
  }

  #snapshot(label: string): void {
    this.trace.push(`snapshot ${label}`)
    taken(this.#client.snapshot(this.#prod, { label }))
    this.#versions.set(label, new Map(this.#contents))
  }

  #rollBack(): void {
    const isWaiting = this.#client.versions(this.#prod).rollbacks.length > 0
    const known = this.#client.versions(this.#prod).rows.filter((row) => row.isMirrored && this.#versions.has(row.label ?? ''))
    if (isWaiting || known.length === 0) return
    const { id, label } = this.#pick(known)
    this.trace.push(`roll back to ${label}`)
    taken(this.#client.rollBack(id))
    this.#contents = new Map(this.#versions.get(label ?? ''))
  }

  /** A sync that may be cut anywhere, and now and then the end of the process. */
  async #sync(): Promise<void> {
    const faults = [connected, connected, unreachable, loseAnswer, failing]
    this.#client.network = (forward, request) => this.#pick(faults)(forward, request)
    this.#client.skew += 3_600_000
    await this.#client.sync()
    if (this.#random() < 0.3) this.#client.restart()
    const left = this.#client.queueRows().map(({ kind, name, state }) => `${kind} ${name} ${state}`)
    this.trace.push(`sync, which leaves ${left.join(', ')}`)
    this.#decide()
  }

  /** The user's own later edits stand, and what gave up is tried again. */
  #decide(): void {
    for (const { changeId, state } of this.#client.queueRows()) {
      if (state === 'conflict') this.#client.resolve(changeId, { take: 'mine' })
      if (state === 'failed') this.#client.retry(changeId)
    }
  }

  /** What every promise comes to, as found and as it must be. */
  outcome() {
    const values = (all: Map<string, string>) => Object.fromEntries([...all].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    const found = new Map(
      this.#client
        .children('variable', this.#prod)
        .map(({ fields }) => [fields.name ?? '', this.#client.cipher.open(fields.value?.sealed ?? '')]),
    )
    const rows = this.#client.versions(this.#prod).rows.filter(({ note }) => !note.startsWith('Before the rollback'))
    return {
      found: {
        queue: this.#client.queueRows().map(({ kind, name, state, reason }) => `${kind} ${name} ${state} ${reason}`),
        drift: this.#client.drift(),
        contents: values(found as Map<string, string>),
        versions: rows.map(({ label, variableCount }) => `${label} ${variableCount}`).toSorted(),
        differences: rows.map((row) => (row.isMirrored ? this.#savedIn(row.id) : null)),
      },
      wanted: {
        queue: [],
        drift: [],
        contents: values(this.#contents),
        versions: [...this.#versions].map(([label, saved]) => `${label} ${saved.size}`).toSorted(),
        differences: rows.map((row) => (row.isMirrored ? values(this.#versions.get(row.label ?? '') ?? new Map()) : null)),
      },
    }
  }

  #savedIn(versionId: string): Record<string, string> {
    const saved = this.#client.savedIn(versionId)
    return Object.fromEntries(saved.map(({ name, value }) => [name, value ?? '(unreadable)']))
  }
}

const seeds = Array.from({ length: 24 }, (_, n) => n + 1)

test.each(seeds)('a history of edits, snapshots and rollbacks comes out in the order it was made, seed %i', async (seed) => {
  const service = await startFuzzService(parent, {})
  const random = seededRandom(seed)
  const client = new TestClient({ service, key: new Uint8Array(32), random, parent, fetch: service.fetch })
  try {
    const history = new History(client, random)
    await history.play(30)
    const { found, wanted } = history.outcome()
    const { trace } = history
    expect({ ...found, trace }).toEqual({ ...wanted, trace })
  } finally {
    await client.close()
    await service.close()
  }
})
