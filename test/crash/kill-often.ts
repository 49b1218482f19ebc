import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { createWorkspaceCipher, type WorkspaceCipher } from '../../electron/cipher/workspace-cipher.ts'
import { openMirror } from '../../electron/mirror/open-mirror.ts'
import { allEntries } from '../../electron/mirror/queue-layer.ts'
import { checkWorking, findWorking, getWorking, workingChildren } from '../../electron/mirror/working-layer.ts'
import { createRemote } from '../../electron/remote/create-remote.ts'
import { v7 as uuid } from 'uuid'
import { connectService } from '../../electron/sync/adapters/connect-service.ts'
import { createEngine } from '../../electron/sync/engine/create-engine.ts'
import { everyPage } from '../../electron/sync/adapters/shared/every-page.ts'
import { startService, type StartedService } from '../support/start-service.ts'

/** What became of all the kills together. */
export interface KillReport {
  kills: number
  /** Edits whose return the victims had announced. */
  acknowledged: number
  /** Changes that a kill left under way, their outcome unknown. */
  leftSending: number
  /** What there is in the end, here and on the service. */
  variables: number
}

/**
 * Kills a Holdfast that edits and syncs, `kills` times at a random moment, on one database and one real service. After each: the database is
 * whole, working is its rebuild, and of every variable the last value that was ever acknowledged is what the user sees. In the end, the service
 * has every variable once, as it is here. Throws when not.
 */
export async function killOften(kills: number): Promise<KillReport> {
  const dir = mkdtempSync(path.join(tmpdir(), 'holdfast-kill-'))
  const file = path.join(dir, 'mirror.sqlite')
  const service = await startService()
  const key = randomBytes(32)
  const cipher = createWorkspaceCipher(key)
  const report: KillReport = { kills: 0, acknowledged: 0, leftSending: 0, variables: 0 }
  const open = (sealed: string) => cipher.open(sealed)
  const last = new Map<string, string>()
  try {
    for (let run = 1; run <= kills; run += 1) {
      const spoken = await killOne([file, service.url, service.apiKey, service.workspaceId, key.toString('hex'), `r${run}`])
      report.kills += 1
      report.acknowledged += spoken.length
      for (const [id, value] of spoken) last.set(id, value)
      report.leftSending += inspect(file, last, open)
    }
    report.variables = await settle(file, service, cipher)
  } finally {
    await service.close()
    rmSync(dir, { recursive: true, force: true })
  }
  return report
}

/** Starts a victim, kills it between 0.05 and 0.6 s after its first edit, and gives the lines it got out whole. */
function killOne(args: string[]): Promise<[id: string, value: string][]> {
  return new Promise((resolve, reject) => {
    const victim = spawn(process.execPath, [path.join(import.meta.dirname, 'victim.ts'), ...args])
    let out = ''
    let errors = ''
    victim.stderr.on('data', (data: Buffer) => (errors += String(data)))
    victim.stdout.once('data', () => setTimeout(() => victim.kill('SIGKILL'), 50 + Math.random() * 550))
    victim.stdout.on('data', (data: Buffer) => (out += String(data)))
    victim.once('error', reject)
    victim.once('close', (_code, signal) => {
      if (signal !== 'SIGKILL') reject(new Error(`the victim ended by itself: ${errors}`))
      else
        resolve(
          out
            .split('\n')
            .slice(0, -1)
            .map((line) => line.split(' ') as [string, string]),
        )
    })
  })
}

function inspect(file: string, last: ReadonlyMap<string, string>, open: (sealed: string) => string | null): number {
  const database = new SqliteDatabase(file)
  const integrity = database.pragma('integrity_check', { simple: true })
  database.close()
  if (integrity !== 'ok') throw new Error(`integrity_check: ${String(integrity)}`)
  const mirror = openMirror(file)
  if (!mirror.ok) throw new Error(mirror.error.message)
  try {
    const drift = mirror.value.snapshot(checkWorking)
    if (drift.length > 0) throw new Error(`working is not base and queue for ${drift.join()}`)
    for (const [id, value] of last) {
      const row = mirror.value.snapshot((tx) => getWorking(tx, id))
      const now = row && open(row.fields.value?.sealed ?? '')
      // One more edit may have been committed, and its line not got out.
      if (now == null || timeOf(now) < timeOf(value)) throw new Error(`${value} was acknowledged; there is ${now}`)
    }
    return mirror.value.snapshot(allEntries).filter(({ state }) => state === 'sending').length
  } finally {
    mirror.value.close()
  }
}

/** The values of all victims in the order they were typed: `r<run>-<number>`. */
function timeOf(value: string): number {
  const [run = '', number = ''] = value.slice(1).split('-')
  return Number(run) * 1e6 + Number(number)
}

/** Lets what is left be sent, and holds what the service has against what is here; gives how many variables that is. */
async function settle(file: string, { url, apiKey, workspaceId }: StartedService, cipher: WorkspaceCipher): Promise<number> {
  const opened = openMirror(file)
  if (!opened.ok) throw new Error(opened.error.message)
  const mirror = opened.value
  try {
    const remote = createRemote({ baseUrl: url, apiKey: () => apiKey, fetch })
    let ahead = 0
    const engine = createEngine({
      mirror,
      port: connectService({ remote, cipher, kept: null }),
      remoteWorkspaceId: workspaceId,
      now: () => Date.now() + ahead,
      random: Math.random,
      newId: () => uuid(),
      log: () => undefined,
      onChange: () => undefined,
    })
    engine.start()
    // Each time everything that waits for a time is due.
    for (let round = 0; round < 20 && mirror.snapshot(allEntries).length > 0; round += 1) {
      await engine.syncNow()
      ahead += 3_600_000
    }
    await engine.stop()
    const left = mirror.snapshot(allEntries).length
    if (left > 0) throw new Error(`${left} changes are never sent`)
    const listed = await everyPage((cursor) => remote.listVariables('shop', 'prod', cursor))
    if (!listed.ok) throw new Error(listed.error.message)
    const lines = (rows: { name: string; value: string }[]) => rows.map(({ name, value }) => `${name}=${cipher.open(value)}`).toSorted()
    const project = mirror.snapshot((tx) => findWorking(tx, 'project', null, 'shop'))
    const environment = mirror.snapshot((tx) => findWorking(tx, 'environment', project?.id ?? null, 'prod'))
    const rows = mirror.snapshot((tx) => workingChildren(tx, 'variable', environment?.id ?? ''))
    const here = lines(rows.map(({ fields }) => ({ name: fields.name ?? '', value: fields.value?.sealed ?? '' })))
    const there = lines(listed.value)
    if (JSON.stringify(here) !== JSON.stringify(there)) throw new Error(`the service has ${there.join(' ')}; here is ${here.join(' ')}`)
    return here.length
  } finally {
    mirror.close()
  }
}
