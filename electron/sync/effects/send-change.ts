import { err, ok, type Result } from '../../bridge/result.ts'
import type { Remote, RemoteError, WriteOptions } from '../../remote/remote.ts'
import type { BaseRow, Change } from '../../queue/entry.ts'
import type { Fields } from '../../queue/fields.ts'
import type { EngineDeps } from './engine-deps.ts'
import type { WirePlace } from './places.ts'
import { environmentRow, projectRow, variableRow, type RemoteRow } from './remote-row.ts'

/** The record after a write, or null after a delete. */
export type SendAnswer = Result<RemoteRow | null, RemoteError>

const mapped = <T>(result: Result<T, RemoteError>, map: (record: T) => RemoteRow | null): SendAnswer =>
  result.ok ? ok(map(result.value)) : err(result.error)

/** A name and slug for a record that has both by construction; a change without them never reaches the queue. */
const named = (fields: Fields): { name: string; slug: string } => ({ name: fields.name ?? '', slug: fields.slug ?? '' })

const patchOf = (fields: Fields): { name?: string; slug?: string } => ({
  ...(fields.name === undefined ? {} : { name: fields.name }),
  ...(fields.slug === undefined ? {} : { slug: fields.slug }),
})

/** Sends one change: the request it stands for, made of nothing but the change, its base row and its place. */
export async function sendChange(
  remote: Remote,
  cipher: EngineDeps['cipher'],
  change: Change,
  base: BaseRow | null,
  place: WirePlace,
): Promise<SendAnswer> {
  const options: WriteOptions = { ifMatch: base?.etag ?? undefined, idempotencyKey: change.id }
  const { project, environment } = place
  const { patch } = change
  switch (change.rowKind) {
    case 'project': {
      if (change.kind === 'create') return mapped(await remote.createProject(named(patch), options), projectRow)
      const slug = base?.fields.slug ?? ''
      if (change.kind === 'delete') return mapped(await remote.deleteProject(slug, options), () => null)
      return mapped(await remote.updateProject(slug, patchOf(patch), options), projectRow)
    }
    case 'environment': {
      if (change.kind === 'create') return mapped(await remote.createEnvironment(project, named(patch), options), environmentRow)
      const slug = base?.fields.slug ?? ''
      if (change.kind === 'delete') return mapped(await remote.deleteEnvironment(project, slug, options), () => null)
      return mapped(await remote.updateEnvironment(project, slug, patchOf(patch), options), environmentRow)
    }
    case 'variable': {
      const toRow = (record: Parameters<typeof variableRow>[0]) => variableRow(record, cipher)
      if (change.kind === 'create') return mapped(await remote.createVariable(project, environment, createBody(patch), options), toRow)
      if (change.kind === 'delete') {
        return mapped(await remote.deleteVariable(project, environment, base?.fields.name ?? '', options), () => null)
      }
      const body = { name: patch.name, value: patch.value?.sealed, type: patch.type, isSecret: patch.isSecret }
      return mapped(await remote.updateVariable(base?.remoteId ?? '', body, options), toRow)
    }
  }
}

function createBody({ name, value, type, isSecret }: Fields) {
  return {
    name: name ?? '',
    value: value?.sealed ?? '',
    ...(type === undefined ? {} : { type }),
    ...(isSecret === undefined ? {} : { isSecret }),
  }
}
