import { z } from 'zod'
import { bulkLimit } from '../../service/protocol/limits.ts'
import { err, ok, type Result } from '../bridge/result.ts'
import { changeItems, readChangeAnswers } from './change-answers.ts'
import type { Segment } from './check-segment.ts'
import type { Answer, Client } from './client.ts'
import { notAService } from './not-a-service.ts'
import {
  deletedRecord,
  deletedVariables,
  environmentRecord,
  feedPage,
  memberRecord,
  pageOf,
  projectRecord,
  readRecord,
  roleRecord,
  rollbackCounts,
  variableRecord,
  versionRecord,
  versionWithVariables,
  workspaceRecord,
  type RemotePage,
} from './records.ts'
import type { DocumentedOperations, Extensions, RemoteError, RemoteResult } from './remote.ts'
import type { Extension } from './service-profile.ts'

/** How many items to ask for in one page of the change feed: the service's maximum. */
const feedPageSize = '1000'

/** Creates the 14 operations. Each sends one request by `client` and reads its answer. */
export function documentedOperations({ send }: Client): DocumentedOperations {
  return {
    getWorkspace: () => dataOf(send({ method: 'GET', path: ['workspace'] }, workspaceRecord)),

    getProject: (slug) => recordOf(send({ method: 'GET', path: ['projects', slug] }, projectRecord)),
    deleteProject: (slug, options) => doneOf(send({ method: 'DELETE', path: ['projects', slug], options }, z.object({}))),

    createEnvironment: (project, body, options) =>
      recordOf(send({ method: 'POST', path: inProject(project), body, names: [body.slug], options }, environmentRecord)),
    getEnvironment: (project, slug) => recordOf(send({ method: 'GET', path: [...inProject(project), slug] }, environmentRecord)),
    updateEnvironment: (project, slug, patch, options) =>
      recordOf(
        send({ method: 'PATCH', path: [...inProject(project), slug], body: patch, names: [patch.slug], options }, environmentRecord),
      ),

    getVariable: (project, environment, name) =>
      recordOf(send({ method: 'GET', path: [...inEnvironment(project, environment, 'variables'), name] }, variableRecord)),
    deleteVariable: (project, environment, name, options) =>
      doneOf(send({ method: 'DELETE', path: [...inEnvironment(project, environment, 'variables'), name], options }, z.object({}))),
    async deleteVariables(project, environment, names) {
      if (isOutOfBounds(names)) return err(wrongCount)
      const path = inEnvironment(project, environment, 'variables')
      return dataOf(send({ method: 'DELETE', path, body: { names } }, deletedVariables))
    },
    updateVariable: (id, patch, options) =>
      recordOf(send({ method: 'PATCH', path: ['variables', { id }], body: patch, names: [patch.name], options }, variableRecord)),

    getVersion: (id) => dataOf(send({ method: 'GET', path: ['versions', { id }] }, versionWithVariables)),
    rollback: (id, options) => dataOf(send({ method: 'POST', path: ['versions', { id }, 'rollback'], options }, rolledBack)),

    inviteMember: (body, options) => dataOf(send({ method: 'POST', path: ['members'], body, options }, memberRecord)),
    removeMember: (id) => doneOf(send({ method: 'DELETE', path: ['members', { id }] }, z.object({}))),
  }
}

/** Creates the requests beyond the 14 operations. */
export function extensions({ host, send }: Client): Extensions {
  /** Reads one page of a list. A next cursor equal to the one just used is an error: it would be asked for without end. */
  const list = async <T>(extension: Extension, path: readonly Segment[], record: z.ZodType<T>, cursor: string | null) => {
    const page = await dataOf<RemotePage<T>>(send({ method: 'GET', path, query: at(cursor), extension }, pageOf(record)))
    return page.ok && page.value.nextCursor !== null && page.value.nextCursor === cursor
      ? err(notAService(host, 'sent a list that never ends'))
      : page
  }

  return {
    renameWorkspace: (name) => doneOf(send({ method: 'PATCH', path: ['workspace'], body: { name }, extension: 'workspace' }, z.object({}))),

    listProjects: (cursor) => list('projects', ['projects'], projectRecord, cursor),
    listEnvironments: (project, cursor) => list('environments', inProject(project), environmentRecord, cursor),
    listVariables: (project, environment, cursor) =>
      list('variables', inEnvironment(project, environment, 'variables'), variableRecord, cursor),
    listVersions: (project, environment, cursor) =>
      list('versions', inEnvironment(project, environment, 'versions'), versionRecord, cursor),
    listMembers: (cursor) => list('members', ['members'], memberRecord, cursor),
    listRoles: (cursor) => list('roles', ['roles'], roleRecord, cursor),

    listDeleted: (cursor) => list('deleted', ['deleted'], deletedRecord, cursor),
    restoreDeleted: (id, slug) => {
      const body = slug === undefined ? {} : { slug }
      return doneOf(send({ method: 'POST', path: ['deleted', { id }, 'restore'], body, names: [slug], extension: 'deleted' }, z.object({})))
    },

    async changes(cursor) {
      const query = { ...at(cursor), limit: feedPageSize }
      const page = await dataOf(send({ method: 'GET', path: ['changes'], query, extension: 'changes' }, feedPage))
      return page.ok && page.value.more && page.value.nextCursor === cursor
        ? err(notAService(host, 'sent a change feed that never ends'))
        : page
    },
    async pushChanges(changes) {
      if (isOutOfBounds(changes)) return err(wrongCount)
      const answer = await send({ method: 'POST', path: ['changes'], body: { changes }, extension: 'push' }, changeItems)
      if (!answer.ok) return answer
      const answers = readChangeAnswers(changes, answer.value.data.items, answer.value.itemError)
      return answers === null ? err(notAService(host, 'answered about other changes than the ones sent')) : ok(answers)
    },
    async getRecord(resource, id) {
      const read = await dataOf(send({ method: 'GET', path: ['records', resource, { id }], extension: 'records' }, z.unknown()))
      if (!read.ok) return read
      const record = readRecord(resource, id, read.value)
      return record === null ? err(notAService(host, 'answered with a different record')) : ok(record)
    },
  }
}

const rolledBack = rollbackCounts.extend({ versionLabel: z.string() })

const inProject = (project: string): string[] => ['projects', project, 'environments']
const inEnvironment = (project: string, environment: string, what: 'variables' | 'versions'): string[] => [
  ...inProject(project),
  environment,
  what,
]

/** Returns the query for the page at `cursor`. */
const at = (cursor: string | null): Record<string, string> => (cursor === null ? {} : { cursor })

type Sent<T> = Promise<Result<Answer<T>, RemoteError>>

/** The data of an answer. */
async function dataOf<T>(sent: Sent<T>): RemoteResult<T> {
  const answer = await sent
  return answer.ok ? ok(answer.value.data) : answer
}

/**
 * Returns a record with the ETag header as its `etag`. A field `etag` in the record itself does not count: if the header is missing, the
 * service may ignore If-Match.
 */
async function recordOf<T extends { etag?: string | undefined }>(sent: Sent<T>): RemoteResult<T> {
  const answer = await sent
  return answer.ok ? ok({ ...answer.value.data, etag: answer.value.etag }) : answer
}

/** Only that it succeeded. */
async function doneOf(sent: Sent<unknown>): RemoteResult<null> {
  const answer = await sent
  return answer.ok ? ok(null) : answer
}

/** Returns whether a list is empty or longer than the service accepts. A careless service could take an empty list to mean all. */
const isOutOfBounds = (items: readonly unknown[]): boolean => items.length < 1 || items.length > bulkLimit

const wrongCount: RemoteError = {
  kind: 'unsafe',
  outcome: 'none',
  message: `The service takes 1 to ${bulkLimit} records at once. Nothing was sent; send them in several parts.`,
}
