import { rowLimit } from '../../bridge/contract.ts'
import { ok } from '../../bridge/result.ts'
import { missingSources, missingVariables } from '../../mirror/reads/missing-variables.ts'
import { getWorking, hasTwoNamed } from '../../mirror/working-layer.ts'
import type { AppContext } from '../app-context.ts'
import { edit } from '../edits/edit.ts'
import { invalid, notFound, twoNamed } from '../edits/refusals.ts'
import { sourceAsSeen } from '../edits/source-as-seen.ts'
import type { Handlers } from '../handlers.ts'
import { inSession } from '../workspaces/in-session.ts'
import { putVariable } from '../variables/put-variable.ts'
import { createComparer } from './compare-page.ts'

type CompareHandlers = Pick<Handlers, 'compare.page' | 'compare.row' | 'compare.missing' | 'compare.copy'>

/**
 * Compares the variables of a project across its environments by equality tags. Works while keys are locked, because no value is decrypted.
 */
export const compareHandlers = (context: AppContext): CompareHandlers => {
  const comparer = createComparer()
  return {
    'compare.page': ({ workspaceId, ...args }) =>
      inSession(context, workspaceId, async ({ mirror, cipher }) => {
        if (mirror.snapshot((tx) => getWorking(tx, args.projectId))?.kind !== 'project') return notFound('project')
        return ok(await comparer.page(mirror, cipher, args))
      }),
    'compare.row': ({ workspaceId, ...args }) =>
      inSession(context, workspaceId, async ({ mirror, cipher }) => ok(await comparer.row(mirror, cipher, args))),
    'compare.missing': ({ workspaceId, environmentId, from }) =>
      inSession(context, workspaceId, async ({ mirror }) => {
        const target = mirror.snapshot((tx) => getWorking(tx, environmentId))
        if (target?.kind !== 'environment' || target.parentId === null) return notFound('environment')
        const missing = await missingSources(mirror, target.parentId, target.id)
        const source = missing.sources.find(({ id }) => id === from) ?? missing.sources[0]
        return ok({ ...missing, variables: source === undefined ? [] : await missingVariables(mirror, target.id, source.id, rowLimit) })
      }),
    'compare.copy': ({ workspaceId, from, to }) =>
      edit(
        context,
        workspaceId,
        ['environments', 'variables'],
        (tx, editContext) => {
          const source = sourceAsSeen(tx, from)
          if (!source.ok) return source
          const row = source.value
          const counts = { copied: 0, skipped: 0, overwritten: 0 }
          for (const [id, seen] of new Map(to.map((each) => [each.environmentId, each.seen]))) {
            const environment = getWorking(tx, id)
            if (environment?.kind !== 'environment') return notFound('environment')
            if (hasTwoNamed(tx, id, row.fields.name)) return invalid('name', twoNamed)
            if (id !== row.parentId) counts[putVariable(tx, editContext, environment, row.fields, 'overwrite', seen)] += 1
          }
          return ok({ copied: counts.copied, overwritten: counts.overwritten })
        },
        (images) => {
          const name = images[0]?.after?.name ?? 'a variable'
          return `Copy ${name} to ${images.length === 1 ? '1 environment' : `${images.length} environments`}`
        },
      ),
  }
}
