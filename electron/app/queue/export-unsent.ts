import type { AppError } from '../../bridge/app-error.ts'
import type { Queries } from '../../bridge/contract.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import type { RefusedName } from '../../bridge/rows.ts'
import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import { exportText } from '../../transfer/export/export-text.ts'
import { takeTurns } from '../../mirror/reads/take-turns.ts'
import type { AppContext } from '../app-context.ts'
import { cancelled } from '../jobs.ts'
import { workspaceKeyName } from '../keys/key-names.ts'
import { inUnlocked } from '../workspaces/in-session.ts'
import { cipherOfEntry } from '../workspaces/session-cipher.ts'
import type { WorkspaceSession } from '../workspaces/workspace-session.ts'
import { workspaceErrors } from '../workspaces/workspace-errors.ts'
import { listUnsent, type Unsent } from './list-unsent.ts'
import { writeUnsentFile, type UnsentEdit } from './unsent-file.ts'

type Args = Queries['queue.export']['args']
type Exported = Queries['queue.export']['value']

/** Returns the unsent edits of a workspace as a file. Also works for a workspace that is locked, damaged, or refused by its service. */
export async function exportUnsent(context: AppContext, args: Args, signal: AbortSignal): Promise<Result<Exported, AppError>> {
  const { workspaceId, format } = args
  const row = (await context.workspaces.list()).find(({ id }) => id === workspaceId)
  if (row === undefined) return err(workspaceErrors.notFound)
  const session = await context.workspaces.session(workspaceId)
  const isDamaged = !session.ok && session.error.kind === 'database-damaged'
  if (!session.ok && !isDamaged) return session
  const unsent = session.ok
    ? ok(await listUnsent(session.value.mirror, args))
    : await context.workspaces.withRepairedCopy(workspaceId, (mirror) => listUnsent(mirror, args))
  if (!unsent.ok) return unsent
  const day = new Date(context.deps.now()).toISOString().slice(0, 10)
  const fileName = `unsent-changes-${day}.${format === 'json' ? 'json' : 'env'}`
  const edits = unsent.value.edits.length
  if (format === 'json') {
    const workspace = { name: row.name, id: row.id }
    const text = await writeUnsentFile({ holdfast: 'unsent-edits', version: 1, workspace, ...unsent.value })
    return ok({ text, fileName, refused: [], notes: [], edits })
  }
  const written = await withCipher(context, session, workspaceId, (cipher) => readable(unsent.value, cipher, signal))
  if (!written.ok) return written
  const { text, refused } = written.value
  return ok({ text, fileName, refused, notes: [], edits })
}

/** Runs `use` with the cipher of a workspace; a damaged one has no session. */
async function withCipher<T>(
  context: AppContext,
  session: Result<WorkspaceSession>,
  workspaceId: string,
  use: (cipher: WorkspaceCipher) => Promise<Result<T>>,
): Promise<Result<T>> {
  if (session.ok) return inUnlocked(context, workspaceId, (_session, cipher) => use(cipher))
  const store = await context.keys.store()
  if (!store.ok) return store
  const kept = await store.value.get(workspaceKeyName(workspaceId))
  if (!kept.ok) return kept
  const cipher = kept.value === null ? null : cipherOfEntry(kept.value)
  if (cipher === null) return err(workspaceErrors.keyMissing)
  try {
    return await use(cipher)
  } finally {
    cipher.wipe()
  }
}

/**
 * Writes one .env section for each environment, and lets other work run in between. Everything except values goes into comments. Error:
 * `cancelled`.
 */
async function readable(
  { edits, requests }: Unsent,
  cipher: WorkspaceCipher,
  signal: AbortSignal,
): Promise<Result<{ text: string; refused: RefusedName[] }>> {
  const refused: RefusedName[] = []
  const turn = takeTurns()
  const sections: string[] = []
  for (const [where, group] of Map.groupBy(edits, placeWords)) {
    const values = group.flatMap((edit) => {
      const { value, name } = edit.whole
      if (edit.kind === 'delete' || edit.subject !== 'variable' || edit.set.value === undefined || value === undefined) return []
      const text = cipher.open(value)
      if (text === null) refused.push({ name: name ?? edit.key, reason: 'This workspace’s key can’t read its value.' })
      return text === null ? [] : [{ name: name ?? edit.key, value: text, type: edit.whole.type ?? null }]
    })
    const written = exportText('env', values, where, false)
    refused.push(...written.refused)
    const told = group.flatMap((edit) => noteOf(edit) ?? []).map((note) => `# ${oneLine(note)}\n`)
    sections.push(`# ${oneLine(where)}\n${told.join('')}${written.text}`)
    await turn()
    if (signal.aborted) return err(cancelled)
  }
  const asked = requests.length === 0 ? [] : [`# Not sent:\n${requests.map((each) => `# ${oneLine(each)}\n`).join('')}`]
  return ok({ text: [...sections, ...asked].join('\n'), refused })
}

const placeWords = ({ project, environment }: UnsentEdit): string =>
  [project?.name, environment?.name].filter((name) => name !== undefined).join(' / ') || 'Projects'

/** Describes an edit that is not of a value; null: it only edits a value. */
function noteOf({ kind, subject, key, set, whole }: UnsentEdit): string | null {
  if (kind === 'delete') return `Deleted the ${subject} ${key}`
  if (subject !== 'variable') return kind === 'create' ? `Created the ${subject} ${whole.name ?? key}` : `Changed the ${subject} ${key}`
  if (kind === 'update' && set.name !== undefined && set.name !== key) return `Renamed ${key} to ${set.name}`
  return set.value === undefined ? `Changed ${Object.keys(set).join(' and ')} of ${key}` : null
}

/** A name with a line break must not end the comment. */
const oneLine = (text: string): string => text.replace(/[\r\n\u2028\u2029]+/g, ' ')
