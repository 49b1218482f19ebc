import { importLimitBytes } from '../../bridge/contract.ts'
import { ok, type Result } from '../../bridge/result.ts'
import type { ImportLine } from '../../bridge/rows.ts'
import type { Tx } from '../../mirror/tx.ts'
import { getWorking, workingChildren } from '../../mirror/working-layer.ts'
import { checkImportText } from '../../transfer/check-import-text.ts'
import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import type { AppContext } from '../app-context.ts'
import { edit } from '../edits/edit.ts'
import type { EditContext } from '../edits/edit-context.ts'
import { notFound } from '../edits/refusals.ts'
import type { Handlers } from '../handlers.ts'
import { createVariable, updateVariable } from '../variables/edit-variable.ts'
import { requireCipher } from '../workspaces/require-cipher.ts'
import type { WorkspaceSession } from '../workspaces/workspace-session.ts'
import { planImport, type PlannedLine } from './plan-import.ts'

type ImportsHandlers = Pick<Handlers, 'import.preview' | 'import.apply'>

const count = (lines: readonly ImportLine[], status: ImportLine['status']): number => lines.filter((line) => line.status === status).length

/** Import of .env texts: a preview, and the same plan applied in one transaction. */
export const importsHandlers = (context: AppContext): ImportsHandlers => ({
  async 'import.preview'({ workspaceId, environmentId, text }) {
    const session = await context.workspaces.session(workspaceId)
    if (!session.ok) return session
    const planned = session.value.mirror.snapshot((tx) => plan(tx, session.value, environmentId, text))
    if (!planned.ok) return planned
    const lines = planned.value.lines.map(({ value: _value, existingId: _existingId, ...line }) => line)
    return ok({
      lines,
      added: count(lines, 'added'),
      changed: count(lines, 'changed'),
      unchanged: count(lines, 'unchanged'),
      invalid: count(lines, 'invalid'),
    })
  },
  'import.apply': ({ workspaceId, environmentId, text, names }) =>
    edit(
      context,
      workspaceId,
      ['environments', 'variables'],
      (tx, enqueueContext, session) => {
        const planned = plan(tx, session, environmentId, text)
        if (!planned.ok) return planned
        const wanted = names && new Set(names)
        const lines = planned.value.lines.filter((line) => wanted === undefined || wanted.has(line.name))
        for (const line of lines) {
          const applied = applyLine(tx, enqueueContext, planned.value.cipher, environmentId, line)
          if (!applied.ok) return applied
        }
        return ok({ added: count(lines, 'added'), changed: count(lines, 'changed'), unchanged: count(lines, 'unchanged') })
      },
      importLabel,
    ),
})

/** What undo calls an import. */
const importLabel = ({ length }: readonly unknown[]): string => (length === 1 ? 'Import 1 variable' : `Import ${length} variables`)

function plan(
  tx: Tx,
  session: WorkspaceSession,
  environmentId: string,
  text: string,
): Result<{ lines: PlannedLine[]; cipher: WorkspaceCipher }> {
  const cipher = requireCipher(session)
  if (!cipher.ok) return cipher
  const checked = checkImportText(text, importLimitBytes)
  if (!checked.ok) return checked
  if (getWorking(tx, environmentId)?.kind !== 'environment') return notFound('environment')
  return ok({ lines: planImport(text, workingChildren(tx, 'variable', environmentId), cipher.value), cipher: cipher.value })
}

function applyLine(
  tx: Tx,
  context: EditContext,
  cipher: WorkspaceCipher,
  environmentId: string,
  { status, name, value, isSecret, existingId }: PlannedLine,
): Result<unknown> {
  if (value === null) return ok(null)
  if (status === 'added') return createVariable(tx, context, cipher, { environmentId, name, value, type: 'string', isSecret })
  if (status === 'changed' && existingId !== null) return updateVariable(tx, context, cipher, { id: existingId, value })
  return ok(null)
}
