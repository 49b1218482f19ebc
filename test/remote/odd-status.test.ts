import { afterEach, beforeEach, expect, test } from 'vitest'
import { startFaultServer, success, type FaultServer } from '../support/fault-server.ts'
import { aRemote } from './a-remote.ts'

let server: FaultServer

beforeEach(async () => {
  server = await startFaultServer()
})
afterEach(() => server.close())

const workspace = { id: 'w', name: 'Ours', slug: 'ours', icon: 'o', createdAt: '2026-01-01T00:00:00.000Z' }

test.each<{ status: string; kind: string; says: RegExp }>([
  { status: '600', kind: 'not-a-service', says: /answered with the unexpected status 600/ },
  { status: '799', kind: 'not-a-service', says: /answered with the unexpected status 799/ },
  { status: '999', kind: 'not-a-service', says: /answered with the unexpected status 999/ },
  { status: '599', kind: 'service-failed', says: /failed \(599\)/ },
  { status: '451', kind: 'refused', says: /refused this \(451\)/ },
  { status: '226', kind: 'not-a-service', says: /./ },
  { status: '204', kind: 'not-a-service', says: /./ },
  { status: '304', kind: 'redirected', says: /redirects to another address/ },
  { status: '000', kind: 'interrupted', says: /interrupted/ },
  { status: '1000', kind: 'not-a-service', says: /HTTP service/ },
  { status: '-1', kind: 'not-a-service', says: /HTTP service/ },
  { status: 'OK', kind: 'not-a-service', says: /HTTP service/ },
])('the status $status is a typed error with a sentence, and the next request goes', async ({ status, kind, says }) => {
  const remote = aRemote(server.url)
  server.answer({ raw: `HTTP/1.1 ${status} Odd\r\ncontent-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}` })
  const answer = await remote.getWorkspace()
  expect(answer).toMatchObject({ ok: false, error: { kind } })
  if (!answer.ok) expect(answer.error.message).toMatch(says)
  server.answer(success(workspace))
  expect(await remote.getWorkspace()).toMatchObject({ ok: true, value: { id: 'w' } })
})
