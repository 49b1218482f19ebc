import { z } from 'zod'
import type { Restored } from '../../../service/protocol/thread.ts'
import { ok } from '../../bridge/result.ts'
import type { RepairNoteRow, RepairRow, RestoreRow } from '../../bridge/rows.ts'
import { getState, setState } from '../../mirror/workspace-state.ts'
import type { RepairNote } from '../../mirror/repair/repair-mirror.ts'
import type { RepairReport } from '../../mirror/repair/repair-report.ts'
import type { AppContext } from '../app-context.ts'
import type { Handlers } from '../handlers.ts'
import { inSession } from '../workspaces/in-session.ts'

type RepairHandlers = Pick<Handlers, 'repair.preview' | 'repair.note' | 'repair.run' | 'repair.dismiss' | 'repair.restore-service'>

/** Previews and runs the repair of a damaged database. */
export const repairHandlers = ({ workspaces, emit }: AppContext): RepairHandlers => ({
  async 'repair.preview'({ workspaceId }) {
    const report = await workspaces.previewRepair(workspaceId)
    return report.ok ? ok(toRow(report.value)) : report
  },
  'repair.note': ({ workspaceId }) =>
    inSession({ workspaces }, workspaceId, (session) => {
      const text = session.mirror.snapshot((tx) => getState(tx, 'repair'))
      return ok(text === null ? null : toNoteRow(noteSchema.parse(JSON.parse(text))))
    }),
  async 'repair.run'({ workspaceId }) {
    const note = await workspaces.repair(workspaceId)
    if (note.ok) emit({ push: 'changed', workspaceId, tables: ['projects', 'environments', 'variables', 'queue', 'sync', 'workspaces'] })
    return note.ok ? ok(toNoteRow(note.value)) : note
  },
  'repair.dismiss': ({ workspaceId }) =>
    inSession({ workspaces }, workspaceId, (session) => {
      session.mirror.write((tx) => setState(tx, 'repair', null))
      emit({ push: 'changed', workspaceId, tables: ['workspaces'] })
      return ok(null)
    }),
  async 'repair.restore-service'({ workspaceId }) {
    const restored = await workspaces.restoreService(workspaceId)
    return restored.ok ? ok(toRestoreRow(restored.value)) : restored
  },
})

const count = z.number()
const noteSchema: z.ZodType<RepairNote> = z.object({
  report: z.object({
    unsent: z.object({ kept: count, rebuilt: count, lost: count, unsure: z.boolean() }),
    unknownDeletions: z.array(z.string()),
    rows: z.object({ kept: count, lost: count }),
    history: count,
  }),
  copy: z.string().nullable(),
})

const toRestoreRow = ({ from, refused, aside }: Restored): RestoreRow => ({
  from: from === null ? null : new Date(from).toISOString(),
  refused,
  copy: aside,
})

const toRow = ({ unsent, unknownDeletions, rows, history }: RepairReport): RepairRow => ({
  unsent: unsent.kept - unknownDeletions.length,
  rebuilt: unsent.rebuilt,
  lost: unsent.lost,
  unsure: unsent.unsure,
  unknownDeletions,
  records: rows.kept,
  history,
})

const toNoteRow = ({ report, copy }: RepairNote): RepairNoteRow => ({ ...toRow(report), copy })
