import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer as createPlainServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { NetworkRow } from '../../electron/bridge/rows.ts'
import { startConnectProxy, type ConnectProxy } from '../support/connect-proxy.ts'
import { makeAuthority, type Authority } from '../support/make-authority.ts'

const child = join(import.meta.dirname, 'system-network.child.ts')
const host = 'config.holdfast.test'
const body = JSON.stringify({ success: true, code: 200, message: 'OK', data: { id: 'w1', name: 'Acme' } })

let dir: string
let authority: Authority
let servers: Server[]
let ports: { good: number; otherName: number; plain: number }
let proxy: ConnectProxy

async function listen(server: Server): Promise<number> {
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'holdfast-authority-'))
  authority = makeAuthority(dir)
  servers = []
  const secure = (name: string) => listen(createSecureServer(authority.issue(name), (_request, response) => response.end(body)))
  const plain = listen(createPlainServer((_request, response) => response.end(body)))
  ports = { good: await secure(host), otherName: await secure('another.test'), plain: await plain }
})

afterAll(() => {
  for (const server of servers) server.close()
  rmSync(dir, { recursive: true, force: true })
})

beforeEach(async () => {
  proxy = await startConnectProxy({ [host]: ports.good, 'mistaken.test': ports.otherName, 'plain.test': ports.plain })
})
afterEach(() => proxy.close())

interface Seen {
  network: NetworkRow
  workspace: { ok: boolean; value?: { name: string }; error?: { kind: string; outcome: string; message: string } }
}

/** A Node of its own, in an environment that names a proxy and an authority, or neither. */
async function ask(url: string, env: Record<string, string>): Promise<Seen> {
  const { PATH = '' } = process.env
  const { stdout } = await promisify(execFile)(process.execPath, [child, url], { env: { PATH, ...env } })
  return JSON.parse(stdout) as Seen
}

const trusting = () => ({ SSL_CERT_FILE: authority.file })

describe('the network of the system', () => {
  test.each(['HTTPS_PROXY', 'https_proxy'])('a service behind the proxy of %s and an authority of the system is reached', async (name) => {
    const { network, workspace } = await ask(`https://${host}`, { [name]: proxy.url, ...trusting() })
    expect(workspace).toMatchObject({ ok: true, value: { name: 'Acme' } })
    expect(proxy.seen).toEqual([`CONNECT ${host}:443`])
    expect(network).toEqual({
      proxy: `From the system (${new URL(proxy.url).host})`,
      certificates: 'From the system, and built in',
    })
  })

  test('a plain address goes through HTTP_PROXY', async () => {
    const { workspace } = await ask('http://plain.test', { HTTP_PROXY: proxy.url })
    expect(workspace).toMatchObject({ ok: true })
    expect(proxy.seen).toHaveLength(1)
  })

  test.each<[string, string, string]>([
    ['localhost', 'http://localhost', ''],
    ['127.0.0.1', 'http://127.0.0.1', ''],
    ['127.0.0.1, with exceptions of the user', 'http://127.0.0.1', 'example.com'],
  ])('a service on this computer (%s) is asked directly', async (_what, address, exceptions) => {
    const env = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url, NO_PROXY: exceptions }
    expect((await ask(`${address}:${ports.plain}`, env)).workspace.ok).toBe(true)
    expect(proxy.seen).toEqual([])
  })

  test('what NO_PROXY names is asked directly', async () => {
    const { workspace } = await ask(`https://${host}`, { HTTPS_PROXY: proxy.url, NO_PROXY: '.holdfast.test', ...trusting() })
    expect(workspace).toMatchObject({ ok: false, error: { kind: 'offline', message: expect.stringContaining('wasn’t found') } })
    expect(proxy.seen).toEqual([])
  })

  test.each<[string, string, Record<string, string>, RegExp]>([
    [
      'an authority that the system does not know',
      `https://${host}`,
      {},
      /not trusted by this computer .*add its authority to the system’s certificates/,
    ],
    ['a certificate for another name', 'https://mistaken.test', { SSL_CERT_FILE: 'ca' }, /is for another name .*Check the address/],
  ])('%s is said, with what to do, and nothing is sent', async (_what, url, env, sentence) => {
    const trusted = env['SSL_CERT_FILE'] === undefined ? {} : trusting()
    const { workspace } = await ask(url, { HTTPS_PROXY: proxy.url, ...trusted })
    expect(workspace).toMatchObject({ ok: false, error: { kind: 'offline', outcome: 'none', message: expect.stringMatching(sentence) } })
  })

  test('a proxy that refuses is said, and the outcome is that nothing was sent', async () => {
    proxy.refuse()
    const { workspace } = await ask(`https://${host}`, { HTTPS_PROXY: proxy.url, ...trusting() })
    expect(workspace).toMatchObject({ ok: false, error: { kind: 'offline', outcome: 'none', message: expect.stringContaining('proxy') } })
  })

  test.each<[string, Record<string, string>, string]>([
    ['no proxy', {}, 'None'],
    ['something that is no proxy', { HTTPS_PROXY: 'socks5://127.0.0.1:1' }, 'None: the system’s proxy setting isn’t a valid address'],
    ['a proxy with a password, which is not shown', { HTTPS_PROXY: 'http://me:secret@127.0.0.1:9' }, 'From the system (127.0.0.1:9)'],
  ])('with %s the settings say so', async (_what, env, said) => {
    expect((await ask(`http://127.0.0.1:${ports.plain}`, env)).network.proxy).toBe(said)
  })
})
