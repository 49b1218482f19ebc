import { variableNameProblem } from '../../../service/protocol/names.ts'
import { ok, type Result } from '../../bridge/result.ts'
import type { RefusedName, TrackedNameRow } from '../../bridge/rows.ts'
import { inNameOrder } from '../../mirror/name-key.ts'
import { allTracked, noParent, type Tracked } from '../../mirror/tracked-layer.ts'
import { lacksRowLists } from '../capabilities/limit-of.ts'
import { readNames, type ReadNames } from '../../transfer/read-names.ts'
import { UnreadableText } from '../../transfer/read-limits.ts'
import type { AppContext } from '../app-context.ts'
import { commit } from '../edits/edit.ts'
import { foreignSlugProblem } from '../edits/foreign-slug-problem.ts'
import { invalid } from '../edits/refusals.ts'
import type { Handlers } from '../handlers.ts'
import { inSession } from '../workspaces/in-session.ts'
import { trackNames, untrackNames } from './track-names.ts'
import { compareNames } from '../../mirror/reads/compare-names.ts'

type TrackedHandlers = Pick<Handlers, 'tracked.list' | 'tracked.add' | 'tracked.remove'>

/** Each name costs one request per sync: with more names a sync would never end. */
const nameLimit = 5_000

/** The tracked names of a service without lists. */
export const trackedHandlers = (context: AppContext): TrackedHandlers => ({
  'tracked.list': ({ workspaceId }) =>
    inSession(context, workspaceId, (session) => {
      const { isNeeded, all } = session.mirror.snapshot((tx) => ({ isNeeded: lacksRowLists(tx), all: allTracked(tx) }))
      return ok({ isNeeded, rows: inTreeOrder(all) })
    }),
  'tracked.add': ({ workspaceId, project, environment, names }) =>
    inSession(context, workspaceId, (session) => {
      const inProject = remoteSlug('project', project)
      if (!inProject.ok) return inProject
      const inEnvironment = environment === null || environment.trim() === '' ? ok(null) : remoteSlug('environment', environment)
      if (!inEnvironment.ok) return inEnvironment
      const read = namesIn(names)
      if (!read.ok) return read
      const { taken, refused } = read.value
      if (inEnvironment.value === null && taken.length > 0) {
        return invalid('environment', 'Enter the environment these variables belong to.')
      }
      const asked = { project: inProject.value, environment: inEnvironment.value, names: taken }
      const added = commit(context, session, [], (tx, { newId }) => ok(trackNames(tx, newId, asked)))
      return added.ok ? ok({ added: added.value, already: Math.max(taken.length, 1) - added.value, refused }) : added
    }),
  'tracked.remove': ({ workspaceId, ids }) =>
    inSession(context, workspaceId, (session) =>
      commit(context, session, ['projects', 'environments', 'variables'], (tx, edit) => untrackNames(tx, edit, ids)),
    ),
})

function namesIn(text: string): Result<{ taken: string[]; refused: RefusedName[] }> {
  const read = readOrRefuse(text)
  if (!read.ok) return read
  const { names, skipped } = read.value
  if (names.length > nameLimit) {
    const message = `That’s ${names.length.toLocaleString('en-US')} names. Add at most ${nameLimit.toLocaleString('en-US')} at a time, because each is read separately.`
    return invalid('names', message)
  }
  const refused = names.flatMap((name) => {
    const reason = variableNameProblem(name)
    return reason === null ? [] : [{ name, reason }]
  })
  const bad = new Set(refused.map(({ name }) => name))
  const lines = skipped.map((line) => ({ name: `Line ${line}`, reason: 'This line has no NAME=value.' }))
  return ok({ taken: names.filter((name) => !bad.has(name)), refused: [...refused, ...lines] })
}

function readOrRefuse(text: string): Result<ReadNames> {
  try {
    return ok(readNames(text))
  } catch (error) {
    if (error instanceof UnreadableText) return invalid('names', error.message)
    throw error
  }
}

/** Returns the tracked names as the page shows them: each followed by its children, in natural order. */
function inTreeOrder(all: readonly Tracked[]): TrackedNameRow[] {
  const below = Map.groupBy(all, (entry) => entry.parent_id)
  const walk = (parentId: string, path: string[]): TrackedNameRow[] =>
    inOrder(below.get(parentId) ?? []).flatMap((entry) => [rowOf(entry, path), ...walk(entry.id, [...path, entry.key])])
  return walk(noParent, [])
}

/** Sorts siblings, which are all of one kind. */
const inOrder = (siblings: readonly Tracked[]): Tracked[] =>
  siblings[0]?.kind === 'variable'
    ? inNameOrder(siblings.map((entry) => ({ ...entry, name: entry.key })))
    : siblings.toSorted((a, b) => compareNames(a.key, b.key))

const rowOf = ({ id, kind, key, state }: Tracked, [project = key, environment]: string[]): TrackedNameRow => ({
  id,
  kind,
  key,
  project,
  environment: kind === 'environment' ? key : (environment ?? null),
  state,
})

/** Checks a typed slug of a service that may have its own rules for slugs. */
function remoteSlug(field: 'project' | 'environment', text: string): Result<string> {
  const slug = text.trim()
  if (slug === '') return invalid(field, `Enter the slug of the ${field}: the short name in its address.`)
  const problem = foreignSlugProblem(slug)
  return problem === null ? ok(slug) : invalid(field, problem)
}
