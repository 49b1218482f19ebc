import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { createWorkspaceCipher } from '../../electron/cipher/workspace-cipher.ts'
import { openMirror } from '../../electron/mirror/open-mirror.ts'
import { allChanges } from '../../electron/mirror/queue-layer.ts'
import { checkWorking, getWorking } from '../../electron/mirror/working-layer.ts'
import { startService } from '../support/start-service.ts'

/** What became of all the kills together. */
export interface KillReport {
  kills: number
  /** Edits whose return the victims had announced. */
  acknowledged: number
  /** Changes that a kill left under way, their outcome unknown. */
  leftSending: number
}

/**
 * Kills a Holdfast that edits and syncs, `kills` times at a random moment, on one database and one real service. After each: the database is
 * whole, working is its rebuild, and of every variable the last acknowledged value is what the user sees. Throws when not.
 */
export async function killOften(kills: number): Promise<KillReport> {
  const dir = mkdtempSync(path.join(tmpdir(), 'holdfast-kill-'))
  const file = path.join(dir, 'mirror.sqlite')
  const service = await startService()
  const key = randomBytes(32)
  const cipher = createWorkspaceCipher(key)
  const report: KillReport = { kills: 0, acknowledged: 0, leftSending: 0 }
  try {
    for (let run = 1; run <= kills; run += 1) {
      const spoken = await killOne([file, service.url, service.apiKey, service.workspaceId, key.toString('hex'), `r${run}`])
      report.kills += 1
      report.acknowledged += spoken.length
      report.leftSending += inspect(file, spoken, (sealed) => cipher.open(sealed))
    }
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

function inspect(file: string, spoken: [id: string, value: string][], open: (sealed: string) => string | null): number {
  const database = new SqliteDatabase(file)
  const integrity = database.pragma('integrity_check', { simple: true })
  database.close()
  if (integrity !== 'ok') throw new Error(`integrity_check: ${String(integrity)}`)
  const mirror = openMirror(file)
  if (!mirror.ok) throw new Error(mirror.error.message)
  try {
    const drift = mirror.value.snapshot(checkWorking)
    if (drift.length > 0) throw new Error(`working is not base and queue for ${drift.join()}`)
    const last = new Map(spoken)
    for (const [id, value] of last) {
      const row = mirror.value.snapshot((tx) => getWorking(tx, id))
      const now = row && open(row.fields.value?.sealed ?? '')
      // One more edit may have been committed, and its line not got out.
      const numberOf = (text: string) => Number(text.split('-')[1])
      if (now == null || now.split('-')[0] !== value.split('-')[0] || numberOf(now) < numberOf(value))
        throw new Error(`${value} was acknowledged; there is ${now}`)
    }
    return mirror.value.snapshot(allChanges).filter(({ state }) => state === 'sending').length
  } finally {
    mirror.value.close()
  }
}
