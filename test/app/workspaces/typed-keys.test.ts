import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { formatWorkspaceKey, generateWorkspaceKey } from '../../../electron/cipher/workspace-key.ts'
import type { Result } from '../../../electron/bridge/result.ts'
import { startService } from '../../support/start-service.ts'
import { connectTo, createStage, valueOf, type TestApp } from './start-app.ts'

const stage = createStage()
const servers: Pick<Server, 'close'>[] = []
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await stage.clear()
  for (const server of servers.splice(0)) server.close()
  for (const close of closing.splice(0)) await close()
})

/** A service that takes every request and answers none. */
const serveNothing = async () => {
  let asked = 0
  let waiting = 0
  const server = createServer((_request, response) => {
    asked += 1
    waiting += 1
    response.on('close', () => (waiting -= 1))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  servers.push(server)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => asked,
    waiting: () => waiting,
  }
}

const workspaceKey = formatWorkspaceKey(generateWorkspaceKey())
const typed = { apiKey: 'hf_typed_by_somebody', allowInsecure: false }

/** Not `timeout`: it was ended before. */
const ended = { ok: false, error: { kind: 'offline' } }

type Ask = (it: TestApp, baseUrl: string) => Promise<Result<unknown>>

test.each<[string, Ask]>([
  ['looking at a service', (it, baseUrl) => it.command('workspaces.probe', { baseUrl, ...typed })],
  ['connecting', (it, baseUrl) => it.command('workspaces.connect', { baseUrl, ...typed, workspaceKey, confirmNoValues: false })],
])('%s ends at a lock, and waits for no answer with what was typed', async (_what, ask) => {
  const silent = await serveNothing()
  const it = await stage.start()
  valueOf(await it.command('keys.choose', { store: 'vault', passphrase: 'correct horse battery' }))
  const asked = ask(it, silent.url)
  await expect.poll(silent.asked).toBe(1)
  valueOf(await it.command('keys.lock', {}))
  expect(await asked).toMatchObject(ended)
  await expect.poll(silent.waiting).toBe(0)
  expect(valueOf(await it.query('workspaces.list', {}))).toEqual([])
})

test('another key that is given to a workspace ends at a lock, and the workspace keeps the one it had', async () => {
  const service = await startService()
  closing.push(service.close)
  let isSilent = false
  let waiting = 0
  const it = await stage.start({
    deps: {
      // A network that takes requests and carries no answers.
      fetch: async (input, init) => {
        if (!isSilent) return fetch(input, init)
        waiting += 1
        return new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error)))
      },
    },
  })
  valueOf(await it.command('keys.choose', { store: 'vault', passphrase: 'correct horse battery' }))
  const { workspaceId } = await connectTo(it, service)
  await it.until('sync.status', { workspaceId }, ({ state }) => state === 'synced')
  isSilent = true
  const asked = it.command('workspaces.supply-keys', { workspaceId, apiKey: 'hf_another_one' })
  await expect.poll(() => waiting).toBeGreaterThan(0)
  valueOf(await it.command('keys.lock', {}))
  expect(await asked).toMatchObject(ended)
  isSilent = false
  valueOf(await it.command('keys.unlock', { passphrase: 'correct horse battery' }))
  await it.until('sync.status', { workspaceId }, ({ state }) => state === 'synced')
})
