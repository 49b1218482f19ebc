import { statSync } from 'node:fs'
import { relative, sep } from 'node:path'
import type { WorkspaceRow } from '../../bridge/rows.ts'
import { newestVersion } from '../../mirror/migrations.ts'
import { rowCounts } from '../../mirror/reads/row-counts.ts'
import { checkWorking } from '../../mirror/working-layer.ts'
import { isLoopback } from '../../remote/check-base-url.ts'
import type { AppContext } from '../app-context.ts'
import type { WorkspaceSession } from '../workspaces/workspace-session.ts'

/** Describes one workspace by kinds, counts and checks. Messages of a service are left out, because they may quote anything. */
export async function describeWorkspace(context: AppContext, row: WorkspaceRow): Promise<string[]> {
  const head = [`id: ${row.id}`, `kind: ${row.kind}`, `service: ${serviceKind(row)}`, `needs: ${row.needs.join(', ') || 'nothing'}`]
  const opened = await context.workspaces.session(row.id)
  if (!opened.ok) return [...head, `cannot be opened: ${opened.error.kind}`]
  const session = opened.value
  const { rows, changes, kept } = await rowCounts(session.mirror)
  const wrong = session.mirror.snapshot(checkWorking).length
  return [
    ...head,
    `database: ${placeOf(context.deps.dataDir, session.mirror.file)}, ${sizeOf(session.mirror.file)} bytes`,
    `schema: ${newestVersion()}`,
    `rows: ${listed(rows)}`,
    `unsent changes: ${listed(changes)}`,
    `overwritten values kept: ${kept}`,
    `shown rows equal their rebuild from base and queue: ${wrong === 0 ? 'yes' : `no, ${wrong} differ`}`,
    `values: ${session.cipher === null ? `closed (${session.cipherProblem?.kind ?? 'no reason'})` : 'open'}`,
    ...describeSync(session),
  ]
}

function describeSync({ engine, engineProblem, limits }: WorkspaceSession): string[] {
  if (engine === null) return [`sync: not running (${engineProblem?.kind ?? 'no reason'})`]
  const { phase, problem, lastSyncedAt, nextAttemptAt } = engine.status()
  const time = (at: number | null): string => (at === null ? 'none' : new Date(at).toISOString())
  return [
    `sync: ${phase}, problem ${problem?.kind ?? 'none'}, last ${time(lastSyncedAt)}, next attempt ${time(nextAttemptAt)}`,
    `limits of the service: ${limits().join(' ') || 'none known'}`,
  ]
}

function serviceKind({ kind, baseUrl }: WorkspaceRow): string {
  if (baseUrl === null || !URL.canParse(baseUrl)) return kind === 'remote' ? 'address unknown' : 'its own'
  const { protocol, hostname } = new URL(baseUrl)
  return `${protocol.replace(':', '')}, ${isLoopback(hostname) ? 'this computer' : 'another computer'}`
}

/** The path of a file relative to the data folder, because the folders above it may name the user. */
function placeOf(dataDir: string, file: string): string {
  const path = relative(dataDir, file)
  return path.startsWith('..') ? 'a temporary folder' : path.split(sep).join('/')
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

function listed(counts: Readonly<Record<string, number | undefined>>): string {
  const parts = Object.entries(counts)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([what, n]) => `${what} ${n ?? 0}`)
  return parts.join(', ') || 'none'
}
