import { ok } from '../../bridge/result.ts'
import { findWorking, getWorking } from '../../mirror/working-layer.ts'
import type { AppContext } from '../app-context.ts'
import { edit } from '../edits/edit.ts'
import { notFound } from '../edits/refusals.ts'
import { sourceAsSeen } from '../edits/source-as-seen.ts'
import type { Handlers } from '../handlers.ts'
import { addVariable } from '../variables/edit-variable.ts'
import { copyTo } from './copy-to.ts'
import { freeName } from './free-name.ts'
import { updateMany } from './update-many.ts'

type BulkHandlers = Pick<Handlers, 'variables.update-many' | 'variables.copy-to' | 'variables.duplicate'>

const several = (count: number): string => (count === 1 ? '1 variable' : `${count} variables`)

/**
 * Commands on many variables at once. Each command is one step of undo. Values stay sealed, so these commands work while keys are locked.
 */
export const bulkHandlers = (context: AppContext): BulkHandlers => ({
  'variables.update-many': ({ workspaceId, rows, type, isSecret }) =>
    edit(context, workspaceId, ['variables'], (tx, editContext) => ok({ gone: updateMany(tx, editContext, rows, { type, isSecret }) })),
  'variables.copy-to': ({ workspaceId, ...input }) =>
    edit(
      context,
      workspaceId,
      ['environments', 'variables'],
      (tx, editContext) => copyTo(tx, editContext, input),
      (images) => `${input.move ? 'Move' : 'Copy'} ${several(images.filter((image) => image.after !== null).length)}`,
    ),
  'variables.duplicate': ({ workspaceId, id, seen }) =>
    edit(context, workspaceId, ['environments', 'variables'], (tx, editContext) => {
      const source = sourceAsSeen(tx, { id, seen })
      if (!source.ok) return source
      const row = source.value
      const environment = getWorking(tx, row.parentId)
      if (environment === null) return notFound('environment')
      const name = freeName(row.fields.name, (taken) => findWorking(tx, 'variable', environment.id, taken) !== null)
      return ok({ id: addVariable(tx, editContext, environment, { ...row.fields, name }) })
    }),
})
