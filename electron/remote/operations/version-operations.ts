import { z } from 'zod'
import type { Client } from '../client.ts'
import { pageOf } from '../records/page-of.ts'
import { versionRecord, versionWithVariables } from '../records/version-record.ts'
import type { Remote } from '../remote.ts'
import { at, dataOf, pageAfter } from './reply.ts'

type VersionOperations = Pick<Remote, 'listVersions' | 'getVersion' | 'rollback'>

export const versionOperations = (client: Client): VersionOperations => ({
  listVersions: (project, environment, cursor) =>
    pageAfter(
      client,
      cursor,
      client.send({ method: 'GET', path: within(project, environment), query: at(cursor), extension: 'versions' }, pageOf(versionRecord)),
    ),

  getVersion: (id) => dataOf(client.send({ method: 'GET', path: ['versions', { id }] }, versionWithVariables)),

  rollback: (id, options) => dataOf(client.send({ method: 'POST', path: ['versions', { id }, 'rollback'], options }, rolledBack)),
})

const within = (project: string, environment: string): string[] => ['projects', project, 'environments', environment, 'versions']

const count = z.int().min(0)
const rolledBack = z.object({ versionLabel: z.string(), added: count, updated: count, removed: count })
