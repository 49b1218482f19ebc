import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { baseChildren, getBaseByRemote } from '../../mirror/base-layer.ts'
import type { RemoteError, RemoteResult } from '../../remote/remote.ts'
import { applyUpsert } from './apply-theirs.ts'
import { confirmGone } from './confirm-gone.ts'
import type { EngineDeps } from './engine-deps.ts'
import { everyPage } from './every-page.ts'
import type { Pulled } from './pull-feed.ts'
import { applyContext } from './apply-context.ts'
import { environmentRow, projectRow, variableRow, type RemoteRow } from './remote-row.ts'

/** For a server without a change feed: reads every list, and removes what no list shows after asking for it by itself. */
export async function pullLists(deps: EngineDeps): Promise<Pulled> {
  const { remote, cipher } = deps
  const projects = await everyPage((cursor) => remote.listProjects(cursor))
  if (!projects.ok) return ended(projects.error)
  const stopped = await applyList(deps, null, projects.value.map(projectRow))
  if (stopped) return ended(stopped)
  for (const project of projects.value) {
    const environments = await everyPage((cursor) => remote.listEnvironments(project.slug, cursor))
    if (!environments.ok && hasMoved(environments.error)) {
      if (await stands(remote.getProject(project.slug), project.id)) return { do: 'unsupported' }
      continue
    }
    if (!environments.ok) return ended(environments.error)
    if (environments.value.some((record) => record.projectId !== project.id)) continue
    const projectId = localId(deps, 'project', project.id)
    if (projectId === null) continue
    const halted = await applyList(deps, projectId, environments.value.map(environmentRow))
    if (halted) return ended(halted)
    for (const environment of environments.value) {
      const variables = await everyPage((cursor) => remote.listVariables(project.slug, environment.slug, cursor))
      if (!variables.ok && hasMoved(variables.error)) {
        if (await stands(remote.getEnvironment(project.slug, environment.slug), environment.id)) return { do: 'unsupported' }
        continue
      }
      if (!variables.ok) return ended(variables.error)
      if (variables.value.some((record) => record.environmentId !== environment.id)) continue
      const environmentId = localId(deps, 'environment', environment.id)
      if (environmentId === null) continue
      const rows = variables.value.map((record) => variableRow(record, cipher))
      const ceased = await applyList(deps, environmentId, rows)
      if (ceased) return ended(ceased)
    }
  }
  return { do: 'done' }
}

/** Renamed or deleted since the list above it was read: the next round reads it where it is then. */
const hasMoved = (error: RemoteError): boolean => error.kind === 'missing'

/** Whether the record above is where it was: then it is the list that this server does not have. */
async function stands(reading: RemoteResult<{ id: string }>, id: string): Promise<boolean> {
  const read = await reading
  return read.ok && read.value.id === id
}

const ended = (error: RemoteError): Pulled =>
  error.kind === 'missing' || error.kind === 'no-route' ? { do: 'unsupported' } : { do: 'stop', error }

const localId = (deps: EngineDeps, kind: 'project' | 'environment', remoteId: string): string | null =>
  deps.mirror.snapshot((tx) => getBaseByRemote(tx, kind, remoteId)?.id ?? null)

/** So many rows are written in one transaction: what the user does meanwhile waits some tens of milliseconds, not seconds. */
const sliceRows = 250

/** Applies one whole list of the rows under a parent, slice by slice; gives the error that stopped it, or null. */
export async function applyList(deps: EngineDeps, parentId: string | null, rows: readonly RemoteRow[]): Promise<RemoteError | null> {
  let changed = false
  for (let at = 0; at < rows.length; at += sliceRows) {
    if (at > 0) await yieldToOthers()
    const any = deps.mirror.write((tx) => {
      const context = applyContext(deps)
      return rows.slice(at, at + sliceRows).map((row) => applyUpsert(tx, row, parentId, context))
    })
    changed ||= any.some(Boolean)
  }
  const listed = new Set(rows.map((row) => row.remoteId))
  const absent = deps.mirror.snapshot((tx) => baseChildren(tx, parentId).filter((row) => !listed.has(row.remoteId)))
  if (changed) deps.onChange(['projects', 'environments', 'variables', 'queue'])
  const confirmed = await confirmGone(deps, absent)
  return confirmed.ok ? null : confirmed.error
}
