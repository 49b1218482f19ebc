import type { AppError } from '../../bridge/app-error.ts'
import type { Commands, Table } from '../../bridge/contract.ts'
import { err, ok, type Edited, type Result } from '../../bridge/result.ts'
import type { RefusedName } from '../../bridge/rows.ts'
import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import { enqueue } from '../../mirror/enqueue.ts'
import { seenRow, type Seen } from '../../mirror/past-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { findWorking, getWorking, hasTwoNamed } from '../../mirror/working-layer.ts'
import { ancestorsBelow } from '../../queue/ancestors.ts'
import { isVariable, type Row } from '../../queue/entry.ts'
import { changedFields, pickFields, fieldNames, type Fields } from '../../queue/fields.ts'
import type { AppContext } from '../app-context.ts'
import type { EditContext } from '../edits/edit-context.ts'
import { editInParts, type BeginPart } from '../edits/edit-in-parts.ts'
import { twoNamed } from '../edits/refusals.ts'
import { createParent, deleteParent, updateParent } from '../edits/edit-parents.ts'
import { cancelled } from '../jobs.ts'
import type { RowImage } from '../undo/step.ts'
import { deleteVariable } from '../variables/edit-variable.ts'
import { moveVariable } from '../variables/move-variable.ts'
import { putVariable } from '../variables/put-variable.ts'
import { requireCipher } from '../workspaces/require-cipher.ts'
import { readUnsentFile, type Place, type UnsentEdit, type UnsentFields } from './unsent-file.ts'

type Args = Commands['queue.apply']['args']
type Applied = Commands['queue.apply']['value']

/** Queues the edits of a file again, in order. Reports an edit that can't be queued, and goes on with the others. */
export const applyUnsent = (context: AppContext, { workspaceId, text, seen }: Args): Promise<Edited<Applied>> =>
  context.jobs.run(undefined, async ({ signal }) => {
    const file = await readUnsentFile(text)
    if (file === null) return err(notOurs)
    const { edits, requests } = file
    const skipped: RefusedName[] = requests.map((name) => ({
      name,
      reason: 'Only changes to projects, environments and variables can be reapplied. Make this one again.',
    }))
    let applied = 0
    const begin: BeginPart<UnsentEdit> = (tx, editContext, session) => {
      const cipher = requireCipher(session)
      if (!cipher.ok) return cipher
      return ok((each) => {
        const problem = applyOne(tx, editContext, cipher.value, each, seen)
        if (problem === null) applied += 1
        else skipped.push({ name: each.whole.name ?? each.key, reason: problem })
        return ok(null)
      })
    }
    const beforePart = () => (signal.aborted ? err(cancelled) : ok(null))
    const done = await editInParts(context, workspaceId, { tables, pieces: edits, begin, beforePart, label: labelOf })
    return done.ok ? { ...done, value: { applied, skipped } } : done
  })

const labelOf = ({ length }: readonly RowImage[]): string =>
  `Apply ${length.toLocaleString('en-US')} ${length === 1 ? 'change' : 'changes'} from a file`

const tables: Table[] = ['projects', 'environments', 'variables']

const notOurs: AppError = {
  kind: 'invalid-input',
  message:
    'This isn’t a file of unsent changes. Choose one saved with “Export unsent changes”. To add other text, import it into an environment.',
  field: 'text',
}

/** Queues one edit. Returns why it can't be queued, as a sentence; null: it is queued. */
function applyOne(tx: Tx, context: EditContext, cipher: WorkspaceCipher, one: UnsentEdit, seen: Seen): string | null {
  const parent = parentOf(tx, context, one)
  if (parent === undefined) return 'Its project or environment is missing from the file.'
  if (typeof parent === 'string') return parent
  if (one.subject === 'variable') return applyToVariable(tx, context, cipher, parent, one, seen)
  const { subject } = one
  const parentId = parent?.id ?? null
  const existing = findWorking(tx, subject, parentId, one.key)
  if (one.kind === 'delete') return existing === null ? null : reasonOf(deleteParent(tx, context, subject, existing.id, seen))
  const { name, slug } = one.whole
  const now = existing ?? findWorking(tx, subject, parentId, slug ?? one.key)
  if (now === null) return reasonOf(createParent(tx, context, subject, parentId, { name: name ?? one.key, slug: slug ?? one.key }))
  return reasonOf(updateParent(tx, context, subject, now.id, seen, { name: one.set.name, slug: one.set.slug }))
}

const reasonOf = (result: Result<unknown, AppError>): string | null => (result.ok ? null : result.error.message)

/**
 * Returns the parent of an edit's row, and creates it if it is missing. null: a project has none. undefined: the file does not name it. A
 * sentence: it can't be created.
 */
function parentOf(tx: Tx, context: EditContext, { subject, project, environment, kind }: UnsentEdit): Row | null | undefined | string {
  if (subject === 'project') return null
  if (project === undefined) return undefined
  const inProject = ensure(tx, context, 'project', null, project, kind)
  if (subject === 'environment' || typeof inProject === 'string') return inProject
  return environment === undefined ? undefined : ensure(tx, context, 'environment', inProject.id, environment, kind)
}

function ensure(
  tx: Tx,
  context: EditContext,
  kind: 'project' | 'environment',
  parentId: string | null,
  place: Place,
  of: UnsentEdit['kind'],
): Row | string {
  const { name, slug } = place
  const existing = findPlace(tx, kind, parentId, place)
  if (existing !== null) return existing
  if (of === 'delete') return `Its ${kind} doesn’t exist.`
  const made = createParent(tx, context, kind, parentId, { name, slug })
  return made.ok ? (findWorking(tx, kind, parentId, slug) ?? `The ${kind} ${name} couldn’t be created.`) : made.error.message
}

const findPlace = (tx: Tx, kind: 'project' | 'environment', parentId: string | null, { slug, later }: Place): Row | null =>
  findWorking(tx, kind, parentId, slug) ?? (later === undefined ? null : findWorking(tx, kind, parentId, later))

function applyToVariable(
  tx: Tx,
  context: EditContext,
  cipher: WorkspaceCipher,
  environment: Row | null,
  one: UnsentEdit,
  seen: Seen,
): string | null {
  if (environment === null) return 'Its project or environment is missing from the file.'
  if (hasTwoNamed(tx, environment.id, one.key)) return twoNamed
  const existing = findWorking(tx, 'variable', environment.id, one.key) ?? moveHere(tx, context, environment, one, seen)
  if (one.kind === 'delete') {
    if (existing !== null) deleteVariable(tx, context, existing.id, seen)
    return null
  }
  const whole = fromFile(one.whole, cipher)
  const set = fromFile(one.set, cipher)
  if (whole === null || set === null) return 'This workspace’s key can’t read its value.'
  const named = existing ?? findWorking(tx, 'variable', environment.id, whole.name ?? one.key)
  if (named === null) {
    if (whole.value === undefined) return 'The file has no value for it, and the variable doesn’t exist.'
    putVariable(tx, context, environment, { ...whole, name: whole.name ?? one.key }, 'overwrite', seen)
    return null
  }
  const isTaken = set.name !== undefined && (findWorking(tx, 'variable', environment.id, set.name)?.id ?? named.id) !== named.id
  if (isTaken) return `Another variable is named “${set.name}”.`
  // If others changed the row after the screen showed it, the edit becomes a conflict.
  const saw = seenRow(tx, named.id, seen)
  const base = saw?.fields ?? null
  const patch = changedFields(base ?? {}, one.kind === 'create' ? whole : set)
  if (Object.keys(patch).length === 0) return null
  context.remember?.(tx, named.id, saw)
  const ancestors = ancestorsBelow(environment)
  enqueue(tx, { kind: 'update', rowKind: 'variable', rowId: named.id, ancestors, patch, base }, context)
  return null
}

/** Queues the move of the variable that the edit moved, and returns the variable; null: it does not exist in its former environment. */
function moveHere(tx: Tx, context: EditContext, environment: Row, { from, key }: UnsentEdit, seen: Seen): Row | null {
  const project = from && findPlace(tx, 'project', null, from.project)
  const left = from && project && findPlace(tx, 'environment', project.id, from.environment)
  const row = left && findWorking(tx, 'variable', left.id, key)
  if (row == null || !isVariable(row)) return null
  moveVariable(tx, context, row, environment, { onTaken: 'skip', seen, seenThere: seen })
  return getWorking(tx, row.id)
}

/** Returns the fields with a tagged value; null: the key does not open the value. */
function fromFile({ value, ...rest }: UnsentFields, cipher: WorkspaceCipher): Fields | null {
  const tagged = value === undefined ? undefined : cipher.tagged(value)
  return tagged !== undefined && tagged.tag === null ? null : pickFields({ ...rest, value: tagged }, fieldNames)
}
