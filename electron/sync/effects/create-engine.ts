import { countBase } from '../../mirror/base-layer.ts'
import { getMeta, setMeta } from '../../mirror/meta.ts'
import { trimHistory } from '../../mirror/history-layer.ts'
import { allChanges, getQueued, getQueuedAt, putChange, queuedOfSort } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import type { RemoteError } from '../../remote/remote.ts'
import { isDue, retryDelay } from '../plan/backoff.ts'
import { eligibleChanges, nextBatches, type EligibleBatch } from '../plan/eligible.ts'
import { isAct, isParked, type Queued } from '../../queue/entry.ts'
import { pushAct, recoverAct } from './acts/push-act.ts'
import { forgetGone, mirrorNewest, pullBeside } from './acts/pull-beside.ts'
import type { EngineDeps } from './engine-deps.ts'
import type { Engine, EngineStatus } from './engine.ts'
import { pullFeed, type Pulled } from './pull-feed.ts'
import { pullFollowed } from './pull-followed.ts'
import { pullLists } from './pull-lists.ts'
import { pushBatch, recoverBatch, type BatchPushed } from './push-batch.ts'
import { pushChange, recoverChange, type Pushed } from './push-change.ts'

/** How many lanes send side by side. */
const width = 4
const defaultPollMs = 15_000
/** As long as a server's Retry-After is followed. */
const longestQuietMs = 60 * 60 * 1000

/** A server without a feed is asked for versions, members and roles less often than for what people edit all day. */
const besideMs = 5 * 60 * 1000

type Round =
  { ok: true } | { ok: false; error: RemoteError; pause: boolean } | { ok: false; wrongWorkspace: string } | { ok: false; thrown: unknown }

/**
 * The sync of one workspace: a loop of rounds, never two at once. A round settles what is unknown,
 * sends what may be sent, pulls, and sends what the pull set free. Sending and pulling never overlap,
 * so no list can be older than a write it is applied after.
 */
export function createEngine(deps: EngineDeps): Engine {
  const { mirror } = deps
  const pollMs = deps.pollMs ?? defaultPollMs
  let phase: EngineStatus['phase'] = 'idle'
  let problem: EngineStatus['problem'] = null
  let nextAttemptAt: number | null = null
  /** Until then the server asked for quiet; only the user's own "sync now" goes before. */
  let quietUntil = 0
  let failures = 0
  let verified = false
  let hasSynced = false
  /** Whether this server may take several variables in one request; false once it has shown that it does not, or does so without care. */
  let takesMany = mirror.snapshot((tx) => getMeta(tx, 'one-at-a-time') === null)
  let probes: Queued[] = []
  /** When versions, members and roles were last listed; null: not yet, or the user asks for all of it. */
  let besideAt: number | null = null
  /** How many environments there were then: versions are listed by environment. */
  let besideOf = 0
  let followsFeed = false
  const unreadable = new Set<string>()
  let stopped = true
  let wanted = false
  let running: Promise<void> | null = null
  let timer: ReturnType<typeof setTimeout> | null = null
  const lastSynced = mirror.snapshot((tx) => getMeta(tx, 'last-synced-at'))
  let lastSyncedAt = lastSynced === null ? null : Number(lastSynced)

  /** The user wants nothing sent or read until told; once by "sync now" all the same. */
  let held = mirror.snapshot((tx) => getMeta(tx, 'paused') !== null)
  let asked = false

  const announce = () => deps.onChange(['sync'])

  function schedule(delay: number): void {
    if (timer !== null) clearTimeout(timer)
    timer = stopped || held ? null : setTimeout(() => void run(), delay)
    timer?.unref?.()
  }

  /** Runs rounds until nothing more is wanted; a call while one is running asks for one more. */
  function run(): Promise<void> {
    if (held && !asked) return running ?? Promise.resolve()
    wanted = true
    running ??= (async () => {
      try {
        while (wanted && !halts()) {
          wanted = false
          await oneRound()
        }
      } finally {
        running = null
      }
    })()
    return running
  }

  const halts = (): boolean => stopped || (held && !asked)

  async function oneRound(): Promise<void> {
    // What it was set for is done now; going off in the middle of the round it would only ask for one more.
    if (timer !== null) clearTimeout(timer)
    timer = null
    phase = 'syncing'
    announce()
    const round = await syncOnce().catch((thrown: unknown): Round => ({ ok: false, thrown }))
    if (stopped) return
    try {
      record(round)
    } catch (thrown) {
      record({ ok: false, thrown })
    }
    announce()
    const pause = !round.ok && ('wrongWorkspace' in round || ('pause' in round && round.pause))
    const dueIn = nextAttemptAt === null ? pollMs : Math.max(0, nextAttemptAt - deps.now())
    if (!pause) schedule(Math.min(dueIn, round.ok ? pollMs : Number.POSITIVE_INFINITY))
  }

  function record(round: Round): void {
    if (round.ok) {
      failures = 0
      phase = 'idle'
      problem = null
      hasSynced = true
      lastSyncedAt = deps.now()
      mirror.write((tx) => {
        setMeta(tx, 'last-synced-at', String(lastSyncedAt))
        trimHistory(tx, deps.now())
      })
      nextAttemptAt = earliestRetry()
      return
    }
    if ('wrongWorkspace' in round) {
      phase = 'paused'
      problem = { kind: 'wrong-workspace', message: round.wrongWorkspace }
      nextAttemptAt = null
      return
    }
    failures += 1
    if ('thrown' in round) {
      const code = errorCode(round.thrown)
      phase = 'offline'
      problem = localProblem(code)
      nextAttemptAt = deps.now() + retryDelay(failures, deps.random(), null)
      deps.log('error', 'A sync round failed on this computer', { code, failures })
      return
    }
    phase = round.pause ? 'paused' : 'offline'
    // The next key may be another workspace's.
    if (round.pause) verified = false
    problem = { kind: problemKind(round.error), message: round.error.message }
    const after = round.error.kind === 'busy' ? round.error.retryAfterMs : null
    nextAttemptAt = round.pause ? null : deps.now() + retryDelay(failures, deps.random(), after)
    quietUntil = after === null ? 0 : deps.now() + after
    deps.log('info', 'Sync round ended early', { kind: round.error.kind, failures })
  }

  /** When the next change comes due by itself. What waits for something else than time is not in it: it would be due for ever. */
  const earliestRetry = (): number | null => {
    const now = deps.now()
    const times = mirror
      .snapshot(allChanges)
      .flatMap((change) => (isParked(change) || isDue(change.nextAttemptAt, now) ? [] : (change.nextAttemptAt ?? [])))
    return times.length === 0 ? null : Math.min(...times)
  }

  async function syncOnce(): Promise<Round> {
    const identity = await checkIdentity()
    if (identity !== null) return identity
    const recovered = await recover()
    if (recovered !== null) return recovered
    const found = await pullFirst()
    if (found !== null) return found
    for (;;) {
      const pushed = await push()
      if (pushed !== null) return pushed
      const pulled = await pull()
      if (pulled.do === 'stop') return roundOf(pulled)
      const more = eligibleChanges(mirror.snapshot(allChanges), deps.now()).length > 0
      if (!more || halts()) return { ok: true }
    }
  }

  /**
   * After a repair: a record that it forgot must be found before the edits of it, which creations stand for, are sent. What the server
   * did not show then is not sought any longer: what comes later under that name is another record.
   */
  async function pullFirst(): Promise<Round | null> {
    if (mirror.snapshot((tx) => getMeta(tx, 'pull-first')) === null) return null
    const { pulled } = await pullRows()
    if (pulled.do === 'stop') return roundOf(pulled)
    mirror.write((tx) => {
      for (const change of allChanges(tx)) if (!isAct(change) && change.sought) putChange(tx, { ...change, sought: null })
      setMeta(tx, 'pull-first', null)
    })
    return null
  }

  /** Once a run: the key must still open the workspace this mirror is of. */
  async function checkIdentity(): Promise<Round | null> {
    if (verified) return null
    const workspace = await deps.remote.getWorkspace()
    if (!workspace.ok) return { ok: false, error: workspace.error, pause: workspace.error.kind === 'unauthorized' }
    if (workspace.value.id !== deps.remoteWorkspaceId) {
      const message = 'The API key belongs to another workspace. Give the key of this one; your edits are kept.'
      return { ok: false, wrongWorkspace: message }
    }
    verified = true
    probes = mirror.write(tryBlocked)
    return null
  }

  /** A server may have learned since: one change of each sort that it could not take is tried, and when it goes the others follow. */
  async function push(): Promise<Round | null> {
    const ended = await pushAll()
    if (ended !== null || probes.length === 0) return ended
    const taken = mirror.write((tx) => {
      const gone = probes.filter((probe) => getQueued(tx, probe.id) === null)
      for (const { kind, rowKind } of gone) {
        for (const other of queuedOfSort(tx, kind, rowKind)) {
          if (other.state === 'blocked') putChange(tx, { ...other, state: 'queued', attempts: 0, reason: null })
        }
      }
      return gone.length
    })
    probes = []
    return taken === 0 ? null : pushAll()
  }

  async function recover(): Promise<Round | null> {
    const sending = mirror.snapshot(allChanges).filter((queued) => queued.state === 'sending')
    const batches = Map.groupBy(sending, (queued) => (isAct(queued) ? queued.id : (queued.batch?.id ?? queued.id)))
    for (const batch of batches.values()) {
      if (stopped) return null
      // What an earlier one found gone may have made other changes of these.
      if (mirror.snapshot((tx) => batch.some(({ id }) => getQueued(tx, id)?.state !== 'sending'))) continue
      // A whole batch is due when one of it is: the user may have asked for that one.
      if (!batch.some(({ nextAttemptAt }) => isDue(nextAttemptAt, deps.now()))) continue
      const round = ending(await recoverOne(batch))
      if (round !== null) return round
    }
    return null
  }

  async function recoverOne(batch: readonly Queued[]): Promise<Pushed> {
    const [first] = batch
    if (first !== undefined && isAct(first)) return recoverAct(deps, first)
    const changes = batch.flatMap((queued) => (isAct(queued) ? [] : [queued]))
    const [change] = changes
    return change !== undefined && change.batch == null ? recoverChange(deps, change) : unlessNoBulk(await recoverBatch(deps, changes))
  }

  /** From now on one at a time, where that is what came out. */
  function unlessNoBulk(pushed: BatchPushed): Pushed {
    if (pushed.do !== 'noBulk') return pushed
    takesMany = false
    if (pushed.forGood) mirror.write((tx) => setMeta(tx, 'one-at-a-time', 'yes'))
    return { do: 'again' }
  }

  async function pushAll(): Promise<Round | null> {
    let queue = mirror.snapshot(allChanges)
    let isWhole = true
    while (!halts()) {
      const batches = nextBatches(queue, deps.now()).slice(0, width)
      if (batches.length === 0) return null
      // What waits for all below it must not go by a list in which something may be missing.
      if (!isWhole && batches.some(([first]) => first.rowKind !== 'variable')) {
        queue = mirror.snapshot(allChanges)
        isWhole = true
        continue
      }
      // All of them are waited for, also when one throws: what a lane left behind still sends must not meet a pull or the next round.
      const settled = await Promise.allSettled(batches.map((batch) => pushOne(batch)))
      const ends = settled.map((each) => {
        if (each.status === 'rejected') throw each.reason
        return each.value
      })
      for (const end of ends) {
        const round = ending(end)
        if (round !== null) return round
      }
      // A snapshot or rollback reads its environment anew, which can move every change in it.
      if (batches.some(([first]) => isAct(first)) || ends.some((end) => end.do === 'again')) {
        queue = mirror.snapshot(allChanges)
        isWhole = true
        continue
      }
      // Reading back only what was sent keeps a long queue from being read anew at every step; what the user adds meanwhile wakes another round.
      const sent = new Set(batches.flat().map(({ seq }) => seq))
      queue = mirror.snapshot((tx) => queue.flatMap((change) => (sent.has(change.seq) ? (getQueuedAt(tx, change.seq) ?? []) : [change])))
      isWhole = false
    }
    return null
  }

  async function pushOne([first, ...more]: EligibleBatch): Promise<Pushed> {
    if (isAct(first)) return pushAct(deps, first)
    const along = more.flatMap((queued) => (isAct(queued) ? [] : [queued]))
    if (along.length === 0 || !takesMany) return pushChange(deps, first)
    return unlessNoBulk(await pushBatch(deps, [first, ...along]))
  }

  /** Kept, so that a screen can offer to name things before the first sync of the next start. */
  function noteLists(hasNone: boolean): void {
    const known = mirror.snapshot((tx) => getMeta(tx, 'no-lists') !== null)
    if (known !== hasNone) mirror.write((tx) => setMeta(tx, 'no-lists', hasNone ? 'true' : null))
  }

  async function pull(): Promise<Pulled> {
    const { pulled, fed } = await pullRows()
    return pulled.do === 'stop' ? pulled : ((await pullRest(fed)) ?? pulled)
  }

  /** Projects, environments and variables. `fed`: by the feed, which brings the rest along. */
  async function pullRows(): Promise<{ pulled: Pulled; fed: boolean }> {
    const fed = await pullFeed(deps)
    if (fed.do !== 'unsupported') {
      if (fed.do !== 'stop') noteLists(false)
      return { pulled: fed, fed: true }
    }
    const listed = await pullLists(deps)
    const hasNoLists = listed.do === 'unsupported'
    if (listed.do === 'stop') return { pulled: listed, fed: false }
    noteLists(hasNoLists)
    return { pulled: hasNoLists ? await pullFollowed(deps) : listed, fed: false }
  }

  /** What stands beside the variables. `fed`: the feed brings it, and its lists are asked once whether they are there. */
  async function pullRest(fed: boolean): Promise<Pulled | null> {
    const environments = mirror.snapshot((tx) => countBase(tx, 'environment'))
    // Where there was none, nothing has said yet whether versions can be listed at all.
    const hasMore = fed ? besideOf === 0 && environments > 0 : environments > besideOf
    if (besideAt === null || fed !== followsFeed || hasMore || (!fed && deps.now() - besideAt >= besideMs)) {
      const failed = await pullBeside(deps, { fed })
      if (failed !== null) return { do: 'stop', error: failed }
      besideAt = deps.now()
    }
    besideOf = environments
    followsFeed = fed
    forgetGone(deps)
    const failed = await mirrorNewest(deps, unreadable)
    return failed === null ? null : { do: 'stop', error: failed }
  }

  return {
    start() {
      stopped = false
      void run()
    },
    async stop() {
      stopped = true
      if (timer !== null) clearTimeout(timer)
      timer = null
      await running
      phase = 'idle'
    },
    wake() {
      if (stopped) return
      failures = 0
      const quietFor = quietUntil - deps.now()
      if (quietFor <= 0 || quietFor > longestQuietMs) void run()
    },
    async syncNow() {
      failures = 0
      verified = false
      if (!followsFeed) besideAt = null
      asked = true
      try {
        await run()
      } finally {
        asked = false
      }
    },
    hold(on) {
      held = on
      mirror.write((tx) => setMeta(tx, 'paused', on ? 'yes' : null))
      if (on) schedule(0)
      else if (!stopped) void run()
      announce()
    },
    status: () => ({ phase, problem, lastSyncedAt, hasSynced, nextAttemptAt: held ? null : nextAttemptAt }),
  }
}

/** Queues the first blocked change of each sort again; gives them. */
function tryBlocked(tx: Tx): Queued[] {
  const sorts = new Map<string, Queued>()
  for (const change of allChanges(tx)) {
    const sort = `${change.kind} ${change.rowKind}`
    if (change.state === 'blocked' && !sorts.has(sort)) sorts.set(sort, change)
  }
  const first = [...sorts.values()]
  for (const change of first) putChange(tx, { ...change, state: 'queued', attempts: 0, reason: null })
  return first
}

const roundOf = ({ error }: Extract<Pulled, { do: 'stop' }>): Round => ({ ok: false, error, pause: error.kind === 'unauthorized' })

const ending = (pushed: Pushed): Round | null =>
  pushed.do === 'wait' || pushed.do === 'pause' ? { ok: false, error: pushed.error, pause: pushed.do === 'pause' } : null

const errorCode = (thrown: unknown): string =>
  thrown instanceof Error ? ('code' in thrown ? String(thrown.code) : thrown.name) : typeof thrown

/** What went wrong on this side: each commit is whole or not there, so nothing is lost, and the next round looks again. */
function localProblem(code: string): NonNullable<EngineStatus['problem']> {
  if (code.startsWith('SQLITE_FULL')) return { kind: 'disk', message: 'The disk is full. Free some space; your edits are kept.' }
  if (code.startsWith('SQLITE_BUSY')) {
    return { kind: 'disk', message: 'Another program holds the database of this workspace. Close it; your edits are kept.' }
  }
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB') {
    return { kind: 'damaged', message: 'The database of this workspace is damaged. Nothing is sent or written until it is repaired.' }
  }
  if (code.startsWith('SQLITE_')) {
    return { kind: 'disk', message: 'The database of this workspace could not be read or written. Make a copy of the data folder.' }
  }
  return { kind: 'bug', message: 'Sync met an unexpected problem and will try again. Your edits are kept.' }
}

function problemKind(error: RemoteError): NonNullable<EngineStatus['problem']>['kind'] {
  switch (error.kind) {
    case 'unauthorized':
      return 'unauthorized'
    case 'not-a-service':
    case 'redirected':
      return 'not-a-service'
    case 'offline':
    case 'timeout':
    case 'interrupted':
    case 'cancelled':
      return 'offline'
    default:
      return 'server'
  }
}
