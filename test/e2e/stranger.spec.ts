import type { IncomingHttpHeaders } from 'node:http'
import fastifyWebsocket from '@fastify/websocket'
import fastify from 'fastify'
import type { Page } from '@playwright/test'
import { startHostProcess } from './drivers/start-in-browser.ts'
import { expect, test } from './fixtures.ts'

test('a program that takes the port of a host that was killed gets nothing from the open tab, and what was typed there stays', async ({
  tabs,
  folder,
}) => {
  test.skip(tabs === null, 'A window has no port.')
  const host = await startHostProcess({ dataDir: folder, keychain: 'none', ownProcess: true })
  const page = (await tabs?.newPage()) as Page
  await page.goto(host.url)
  await expect(page.getByText('Start a local workspace')).toBeVisible()
  const { port } = new URL(page.url())
  const secret = await page.evaluate(() => sessionStorage.getItem('holdfast.secret'))
  expect(secret).toMatch(/^[\w-]{32}$/)
  await page.getByRole('button', { name: 'Connect to a service' }).click()
  await page.getByRole('radio', { name: 'A vault with a passphrase' }).check()
  await page.getByLabel('Passphrase', { exact: true }).fill('typed')

  const seen: { headers: IncomingHttpHeaders[]; messages: string[] } = { headers: [], messages: [] }
  const thief = fastify({ forceCloseConnections: true })
  await thief.register(fastifyWebsocket)
  thief.get('/bridge', { websocket: true }, (socket, { headers }) => {
    seen.headers.push(headers)
    socket.on('message', (data: Buffer) => {
      seen.messages.push(data.toString())
      socket.send(JSON.stringify({ challenge: 'A'.repeat(32), proof: 'A'.repeat(43) }))
    })
  })
  await host.end('SIGKILL')
  await expect(page.getByText('If Holdfast was restarted, copy what you typed and open its new address.')).toBeVisible()
  await thief.listen({ host: '127.0.0.1', port: Number(port) })
  try {
    await expect(page.getByText('another program answers at its address')).toBeVisible({ timeout: 30_000 })
    await expect(page.getByLabel('Passphrase', { exact: true })).toHaveValue('typed')
    expect(seen.messages).toEqual([expect.stringMatching(/^\{"hello":"[\w-]{32}"\}$/)])
    expect(seen.headers.map(({ cookie }) => cookie)).toEqual([undefined])
    expect(JSON.stringify(seen)).not.toContain(secret)
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain(secret)
  } finally {
    await thief.close()
    await page.close()
  }
})

test('a program on ::1 is not asked by a tab that was opened by the name localhost', async ({ tabs, folder }) => {
  test.skip(tabs === null, 'A window has no port.')
  const host = await startHostProcess({ dataDir: folder, keychain: 'none', ownProcess: true })
  const page = (await tabs?.newPage()) as Page
  try {
    const sockets: string[] = []
    page.on('websocket', (socket) => sockets.push(socket.url()))
    const url = new URL(host.url)
    url.hostname = 'localhost'
    await page.goto(url.href)
    await expect(page.getByText('Start a local workspace')).toBeVisible()
    expect(sockets).toEqual([`ws://127.0.0.1:${url.port}/bridge`])
  } finally {
    await page.close()
    await host.end('SIGTERM')
  }
})

test('a tab whose host does not answer at first says so, and opens once it does', async ({ tabs, folder }) => {
  test.skip(tabs === null, 'A window has no port.')
  const host = await startHostProcess({ dataDir: folder, keychain: 'none', ownProcess: true })
  const page = (await tabs?.newPage()) as Page
  try {
    let isTaken = true
    await page.routeWebSocket(/\/bridge$/, (socket) => {
      if (isTaken) void socket.close()
      else socket.connectToServer()
    })
    await page.goto(host.url)
    await expect(page.getByRole('heading', { name: 'Holdfast isn’t answering' })).toBeVisible({ timeout: 30_000 })
    isTaken = false
    await page.getByRole('button', { name: 'Try now' }).click()
    await expect(page.getByText('Start a local workspace')).toBeVisible()
  } finally {
    await page.close()
    await host.end('SIGTERM')
  }
})

test('the secret of a tab is in no address that its browser could keep', async ({ app, driver }) => {
  test.skip(driver !== 'browser', 'A window has no history.')
  const secret = await app.page.evaluate(() => sessionStorage.getItem('holdfast.secret'))
  const session = await app.page.context().newCDPSession(app.page)
  const { entries } = await session.send('Page.getNavigationHistory')
  expect(secret).toMatch(/^[\w-]{32}$/)
  expect(JSON.stringify(entries)).not.toContain(secret)
  expect(entries.at(-1)?.url).toBe(app.page.url())
  expect(new URL(app.page.url()).search + new URL(app.page.url()).hash).toBe('')
})

test('a tab keeps nothing in its browser but its secret, the theme and the step of the tour', async ({ startApp, driver }) => {
  test.skip(driver !== 'browser', 'What a window keeps is in the data folder.')
  const { page } = await startApp('holdfast', {
    workspace: { projects: { Fernweh: { Production: { API_URL: 'https://fernweh.example' } } } },
  })
  await expect(page.getByText('https://fernweh.example')).toBeVisible()
  const kept = await page.evaluate(async () => ({
    local: Object.keys(localStorage),
    session: Object.keys(sessionStorage),
    databases: await indexedDB.databases(),
    caches: await caches.keys(),
    cookies: document.cookie,
  }))
  const allowed = { local: /^holdfast\.theme$/, session: /^holdfast\.secret$/ }
  expect(kept.local.filter((key) => !allowed.local.test(key))).toEqual([])
  expect(kept.session.filter((key) => !allowed.session.test(key))).toEqual([])
  expect(kept.session).toContain('holdfast.secret')
  expect(kept).toMatchObject({ databases: [], caches: [], cookies: '' })
})
