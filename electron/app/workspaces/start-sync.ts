import { statfsSync } from 'node:fs'
import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import type { Mirror } from '../../mirror/mirror.ts'
import { createRemote } from '../../remote/create-remote.ts'
import type { Remote } from '../../remote/remote.ts'
import { connectService } from '../../sync/adapters/connect-service.ts'
import { createEngine } from '../../sync/engine/create-engine.ts'
import type { EngineTable } from '../../sync/engine/engine-deps.ts'
import type { Engine } from '../../sync/engine/engine.ts'
import type { SyncPort } from '../../sync/port.ts'
import type { AppDeps } from '../app-deps.ts'
import { continueBinding, endBinding } from '../unverified/bind-values.ts'
import { noteProfile, readProfile } from '../capabilities/keep-profile.ts'
import { valueRules } from './value-rules.ts'
import type { WorkspaceInfo } from './workspace-info.ts'

/** The address of a service, its API key, and the fetch to reach it. */
export interface ServiceAccess {
  baseUrl: string
  apiKey: string
  fetch: typeof fetch
}

export interface SyncDeps {
  app: Pick<AppDeps, 'dataDir' | 'now' | 'randomBytes' | 'log'>
  info: WorkspaceInfo
  mirror: Mirror
  /** See `EngineDeps`. */
  isWhole: Promise<boolean>
  newId(): string
  /** How long to rest when nothing is queued. A running sync keeps the value that it started with. */
  pollMs(): number
  onChange(tables: readonly EngineTable[]): void
}

/** A running client and engine, with the keys they use. */
export interface RunningSync {
  readonly access: ServiceAccess
  readonly cipher: WorkspaceCipher
  readonly pollMs: number
  readonly remote: Remote
  readonly port: SyncPort
  readonly engine: Engine
  /** Resolves when sync has stopped completely. */
  stop(): Promise<void>
}

/** How long requests under way may take when sync stops, so that their outcome is known. */
const stopGraceMs = 1500

/** Starts to sync a mirror with a service. */
export const startSync = (deps: SyncDeps, access: ServiceAccess, cipher: WorkspaceCipher): RunningSync => {
  const { app, info, mirror } = deps
  const abort = new AbortController()
  const pollMs = deps.pollMs()
  const remote = createRemote({
    baseUrl: access.baseUrl,
    apiKey: () => access.apiKey,
    fetch: access.fetch,
    allowInsecure: info.allowInsecure,
    signal: abort.signal,
    now: app.now,
  })
  const port = connectService({ remote, cipher, rules: valueRules(info, mirror, cipher), kept: mirror.snapshot(readProfile) })
  const engine = createEngine({
    mirror,
    port,
    remoteWorkspaceId: info.remoteId,
    now: app.now,
    random: () => randomFraction(app.randomBytes),
    newId: deps.newId,
    hasRoom: () => hasRoom(app.dataDir),
    isWhole: deps.isWhole,
    log: app.log,
    onChange: deps.onChange,
    onSynced() {
      // An open screen then shows which lists are missing, and offers to track names instead.
      if (noteProfile(mirror, remote)) deps.onChange(['versions', 'members'])
      endBinding(mirror, cipher)
      void bindMore()
    },
    pollMs,
  })
  const bindMore = async (): Promise<void> => {
    try {
      const queued = await continueBinding(mirror, cipher, () => ({ now: app.now(), newId: deps.newId }))
      if (queued === 0) return
      deps.onChange(['variables', 'queue', 'sync'])
      engine.wake()
    } catch {
      // The workspace was closed or locked. The next sync continues.
      app.log('warn', 'Values could not be bound')
    }
  }
  engine.start()
  return {
    access,
    cipher,
    pollMs,
    remote,
    port,
    engine,
    async stop() {
      const deadline = setTimeout(() => abort.abort(), stopGraceMs)
      await engine.stop()
      clearTimeout(deadline)
      abort.abort()
    },
  }
}

/** Returns a number in [0, 1) from random bytes, uniform to 2^-48. */
const randomFraction = (randomBytes: (length: number) => Uint8Array): number =>
  randomBytes(6).reduce((fraction, byte) => (fraction + byte) / 256, 0)

/** Bytes to leave free for edits and other programs; less on a small disk. */
const keptBytes = 256 * 1024 * 1024
const keptShare = 0.05

/** Whether the disk of a folder has more free space than sync has to leave. True if the system doesn't say. */
export function hasRoom(folder: string): boolean {
  try {
    const { bavail, blocks, bsize } = statfsSync(folder)
    return bavail * bsize > Math.min(keptBytes, blocks * bsize * keptShare)
  } catch {
    return true
  }
}
