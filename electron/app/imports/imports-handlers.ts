import { ok, type Edited } from '../../bridge/result.ts'
import type { Commands } from '../../bridge/contract.ts'
import type { ImportLine } from '../../bridge/rows.ts'
import type { AppContext } from '../app-context.ts'
import { forgetInterrupted, interruptedNote, noteInterrupted } from '../edits/unfinished-work.ts'
import type { Handlers } from '../handlers.ts'
import type { Job } from '../jobs.ts'
import { inSession, inUnlocked } from '../workspaces/in-session.ts'
import { applyImport, type Applied } from './apply-import.ts'
import { joinRenames, optionsOf, type PlannedLine } from './plan-import.ts'
import { planText } from './plan-text.ts'

type ImportsHandlers = Pick<
  Handlers,
  'import.preview' | 'import.progress' | 'import.interrupted' | 'import.apply' | 'import.cancel' | 'import.dismiss'
>

type ApplyArgs = Commands['import.apply']['args']

const changing = new Set<ImportLine['status']>(['added', 'changed', 'removed'])

/** Previews and applies imports of .env, JSON and YAML texts, by the same plan. */
export const importsHandlers = (context: AppContext): ImportsHandlers => {
  const { jobs } = context
  const tell = (workspaceId: string) => context.emit({ push: 'changed', workspaceId, tables: ['workspaces'] })

  const apply = async ({ names, renames = [], seen, asText = false, ...args }: ApplyArgs, job: Job): Promise<Edited<Applied>> => {
    const session = await context.workspaces.session(args.workspaceId)
    if (!session.ok) return session
    const planned = await planText(session.value, args, job)
    if (!planned.ok) return planned
    const wanted = names && new Set(names)
    const lines = joinRenames(planned.value.lines, renames).filter((line) => wanted === undefined || wanted.has(line.name))
    const { workspaceId, environmentId } = args
    // In index order, so that each part writes few pages of the database.
    const changes = lines.filter((line) => changing.has(line.status)).toSorted((a, b) => (a.name < b.name ? -1 : 1))
    const applied = await applyImport(context, { workspaceId, environmentId, seen, options: optionsOf(args), asText }, changes, job)
    if (!applied.ok) return applied
    const same = lines.filter((line) => line.status === 'unchanged').length
    return { ...applied, value: { ...applied.value, unchanged: applied.value.unchanged + same } }
  }

  return {
    'import.preview': (args) =>
      jobs.run(args.token, (job) =>
        inUnlocked(context, args.workspaceId, async (session) => {
          const planned = await planText(session, args, job)
          if (!planned.ok) return planned
          const lines = planned.value.lines.map(toLine)
          const count = (status: ImportLine['status']): number => lines.filter((line) => line.status === status).length
          return ok({
            format: planned.value.format,
            lines,
            added: count('added'),
            changed: count('changed'),
            unchanged: count('unchanged'),
            removed: count('removed'),
            invalid: count('invalid'),
            renames: planned.value.renames,
            rev: planned.value.rev,
          })
        }),
      ),
    'import.progress': async ({ token }) => ok(jobs.progress(token)),
    'import.interrupted': ({ workspaceId }) => inSession(context, workspaceId, ({ mirror }) => ok(mirror.snapshot(interruptedNote))),
    'import.apply': (args) =>
      jobs.run(args.token, async (job) => {
        const done = await apply(args, job)
        if (done.ok || !job.isInterrupted()) return done
        const session = await context.workspaces.session(args.workspaceId)
        if (session.ok) session.value.mirror.write(noteInterrupted)
        tell(args.workspaceId)
        return done
      }),
    'import.cancel': async ({ token }) => {
      jobs.cancel(token)
      return ok(null)
    },
    'import.dismiss': ({ workspaceId }) =>
      inSession(context, workspaceId, ({ mirror }) => {
        mirror.write(forgetInterrupted)
        tell(workspaceId)
        return ok(null)
      }),
  }
}

/** How many characters of a new value are shown. */
const shownLength = 500

const toLine = ({ line, name, status, reason, isSecret, type, entry, existing }: PlannedLine): ImportLine => ({
  line,
  name,
  status,
  reason,
  isSecret,
  type,
  warnings: entry?.warnings ?? [],
  id: existing?.id ?? null,
  value: entry === null || existing?.fields.value?.tag === entry.tag ? null : entry.value.slice(0, shownLength),
})
