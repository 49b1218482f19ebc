import * as records from '../protocol/records.ts'
import * as requests from '../protocol/requests.ts'
import { reading } from '../http/endpoint.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { listAudit } from '../store/audit.ts'
import { readChanges } from '../store/changes.ts'

export const changeEndpoints: readonly Endpoint[] = [
  reading({
    capability: 'changes',
    method: 'GET',
    path: '/changes',
    summary: 'The change feed: records and tombstones in commit order',
    may: 'read',
    params: requests.noParams,
    query: requests.pageQuery,
    body: requests.noBody,
    status: 200,
    message: 'OK',
    data: records.feedPage,
    handle: async (db, { query }) => ({ data: await readChanges(db, query) }),
  }),
  reading({
    capability: 'audit',
    method: 'GET',
    path: '/audit',
    summary: 'Who did what and when, newest first',
    may: 'audit.read',
    params: requests.noParams,
    query: requests.pageQuery,
    body: requests.noBody,
    status: 200,
    message: 'OK',
    data: records.page(records.auditEntry),
    handle: async (db, { query }) => ({ data: await listAudit(db, query) }),
  }),
]
