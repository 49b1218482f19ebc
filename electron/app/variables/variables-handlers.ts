import type { EditedVariable, VariableRow } from '../../bridge/rows.ts'
import { ok } from '../../bridge/result.ts'
import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import { getBase } from '../../mirror/base-layer.ts'
import { newestRev, revOf } from '../../mirror/past-layer.ts'
import { sealedValues } from '../../mirror/reads/sealed-values.ts'
import { variablePlace, variablesRange, variablesWindow, type VariableColumns } from '../../mirror/reads/variables-window.ts'
import type { Tx } from '../../mirror/tx.ts'
import { findWorking, getVariable } from '../../mirror/working-layer.ts'
import { guessSecret } from '../../transfer/guess-secret.ts'
import type { AppContext } from '../app-context.ts'
import { edit } from '../edits/edit.ts'
import type { Handlers } from '../handlers.ts'
import { inSession, inUnlocked } from '../workspaces/in-session.ts'
import { requireCipher } from '../workspaces/require-cipher.ts'
import { changedVariables } from './changed-variables.ts'
import { createVariable, deleteVariable, updateVariable } from './edit-variable.ts'
import { shownValue } from './shown-value.ts'

type VariablesHandlers = Pick<
  Handlers,
  | 'variables.page'
  | 'variables.position'
  | 'variables.range'
  | 'variables.values'
  | 'variables.show'
  | 'variables.changed'
  | 'variables.is-taken'
  | 'variables.create'
  | 'variables.update'
  | 'variables.delete'
>

/** The variables of an environment: a window of rows without values, and values by id for the rows on screen. */
export const variablesHandlers = (context: AppContext): VariablesHandlers => ({
  'variables.page': ({ workspaceId, offset, ...args }) =>
    inSession(context, workspaceId, async (session) => {
      // Read before the rows, so that a change written in between counts as not shown.
      const rev = session.mirror.snapshot(newestRev)
      const { total, rows } = await variablesWindow(session.mirror, { offset, ...args })
      const { cipher } = session
      const emptyTag = cipher?.tagOf('') ?? null
      return ok({ total, offset, rev, rows: rows.map((row) => toRow(row, cipher, emptyTag)) })
    }),
  'variables.position': ({ workspaceId, ...args }) =>
    inSession(context, workspaceId, async ({ mirror }) => ok(await variablePlace(mirror, args))),
  'variables.range': ({ workspaceId, ...args }) =>
    inSession(context, workspaceId, ({ mirror }) => {
      const rows = mirror.snapshot((tx) => variablesRange(tx, args))
      return ok(rows.map(({ id, name, rev, change_kind }) => ({ id, name, rev: rev ?? 0, isUnsent: change_kind === 'create' })))
    }),
  'variables.values': ({ workspaceId, ids, reveal }) =>
    inUnlocked(context, workspaceId, async (session, cipher) => {
      const rows = await sealedValues(session.mirror, ids)
      const { maskAll } = context.settings.get()
      return ok(
        rows.map((row) => ({
          id: row.id,
          rev: row.rev ?? 0,
          ...shownValue(cipher, row.sealed, maskAll || row.is_secret !== 0, reveal),
        })),
      )
    }),
  'variables.show': ({ workspaceId, id, reveal }) =>
    inUnlocked(context, workspaceId, (session, cipher) => {
      const { maskAll } = context.settings.get()
      return ok(session.mirror.snapshot((tx) => editedVariable(tx, cipher, id, { reveal, maskAll })))
    }),
  'variables.changed': ({ workspaceId, of, reveal }) =>
    inUnlocked(context, workspaceId, (session, cipher) => {
      const { maskAll } = context.settings.get()
      return ok(session.mirror.snapshot((tx) => changedVariables(tx, cipher, of, { reveal, maskAll })))
    }),
  'variables.is-taken': ({ workspaceId, environmentId, name, exceptId }) =>
    inSession(context, workspaceId, (session) => {
      const found = session.mirror.snapshot((tx) => findWorking(tx, 'variable', environmentId, name))
      return ok({ by: found === null || found.id === exceptId ? null : found.id, looksSecret: guessSecret(name) })
    }),
  'variables.create': ({ workspaceId, ...input }) =>
    edit(context, workspaceId, ['environments', 'variables'], (tx, editContext, session) => {
      const cipher = requireCipher(session)
      return cipher.ok ? createVariable(tx, editContext, cipher.value, input) : cipher
    }),
  'variables.update': ({ workspaceId, ...input }) =>
    edit(context, workspaceId, ['variables'], (tx, editContext, session) => {
      const cipher = requireCipher(session)
      return cipher.ok ? updateVariable(tx, editContext, cipher.value, input) : cipher
    }),
  'variables.delete': ({ workspaceId, rows }) =>
    edit(context, workspaceId, ['environments', 'variables'], (tx, editContext) => {
      let gone = 0
      for (const { id, seen } of rows) if (!deleteVariable(tx, editContext, id, seen)) gone += 1
      return ok({ gone })
    }),
})

function editedVariable(
  tx: Tx,
  cipher: WorkspaceCipher,
  id: string,
  { reveal, maskAll }: { reveal: boolean; maskAll: boolean },
): EditedVariable | null {
  const row = getVariable(tx, id)
  if (row === null) return null
  const base = getBase(tx, id)
  const { name, value, isSecret } = row.fields
  return {
    name,
    value: shownValue(cipher, value?.sealed ?? null, maskAll || isSecret !== false, reveal),
    updatedAt: base?.updatedAt ?? null,
    updatedBy: base?.updatedBy ?? null,
    rev: revOf(tx, id),
  }
}

const toRow = (row: VariableColumns, cipher: WorkspaceCipher | null, emptyTag: string | null): VariableRow => ({
  id: row.id,
  environmentId: row.parent_id,
  name: row.name,
  type: row.type,
  isSecret: row.is_secret === null ? null : row.is_secret === 1,
  isEmpty: emptyTag !== null && row.tag === emptyTag && row.key_id === cipher?.keyId,
  sync: row.change_state ?? 'synced',
  isUnsent: row.change_kind === 'create',
  syncReason: row.change_reason,
  changeId: row.change_id,
  conflict: row.conflict_kind,
  updatedAt: row.updated_at,
  updatedBy: row.updated_by,
  rev: row.rev ?? 0,
  trust: row.trust === 'open' && row.change_id !== null ? 'local' : row.trust,
})
