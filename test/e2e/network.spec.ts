import { existsSync } from 'node:fs'
import path from 'node:path'
import { startConnectProxy } from '../support/connect-proxy.ts'
import { startFaultServer, success } from '../support/fault-server.ts'
import { expect, secureHost as host, test } from './secure-fixtures.ts'
import { askService, openConnectForm } from './steps/workspaces.ts'

test(
  'a service that only the proxy of the system knows is found through it, and the settings say so',
  { tag: '@shell' },
  async ({ service, startApp }) => {
    const proxy = await startConnectProxy({ [host]: Number(new URL(service.url).port) })
    try {
      const app = await startApp('behind', { env: { HTTP_PROXY: proxy.url, http_proxy: proxy.url } })
      await openConnectForm(app.page)
      await askService(app.page, { url: `http://${host}`, apiKey: service.apiKey })
      await app.page.getByRole('checkbox', { name: /^Connect without encryption/ }).click()
      await app.page.getByRole('button', { name: 'Continue' }).click()
      await app.page.getByRole('radio', { name: 'Create a new key' }).check()
      expect(proxy.seen.filter((seen) => seen.includes(host)).length).toBeGreaterThan(0)
      await app.page.getByRole('button', { name: 'Connect' }).click()
      await app.page.getByRole('checkbox', { name: 'I’ve written it down' }).click()
      await app.page.getByRole('button', { name: 'Continue' }).click()
      await expect(app.page.getByTestId('sync-pill')).toHaveAttribute('data-state-sync', 'synced')

      await app.page.keyboard.press('ControlOrMeta+,')
      const settings = app.page.getByTestId('settings-dialog')
      await settings.getByRole('tab', { name: 'Data' }).click()
      await expect(settings.getByText(/^From the system( \(.*\))?\.$/).first()).toBeVisible()
      await expect(settings.getByText('Certificates', { exact: true })).toBeVisible()
    } finally {
      await proxy.close()
    }
  },
)

test('a service that answers with a status that is none is told as such, and Holdfast goes on', { tag: '@shell' }, async ({ startApp }) => {
  const server = await startFaultServer()
  const proxy = await startConnectProxy({ 'config.holdfast.test': Number(new URL(server.url).port) })
  try {
    // Not on this computer: only what goes out of it goes the way of the shell.
    const app = await startApp('holdfast', { env: { HTTP_PROXY: proxy.url, http_proxy: proxy.url } })
    await openConnectForm(app.page)
    server.answer({ status: 600, headers: { 'content-type': 'application/json' }, body: '{}' })
    await askService(app.page, { url: 'http://config.holdfast.test', apiKey: 'hf_any' })
    await app.page.getByRole('checkbox', { name: /^Connect without encryption/ }).click()
    await app.page.getByRole('button', { name: 'Continue' }).click()
    await expect(app.page.getByRole('alert')).toContainText(/\b(600|599)\b/)
    expect(proxy.seen.length).toBeGreaterThan(0)
    server.answer(success({ id: 'w', name: 'Ours', slug: 'ours', icon: 'o', createdAt: '2026-01-01T00:00:00.000Z' }))
    await app.page.getByRole('button', { name: 'Continue' }).click()
    await expect(app.page.getByRole('radio', { name: 'Create a new key' })).toBeVisible()
  } finally {
    await proxy.close()
    await server.close()
  }
})

test(
  'a service whose authority this computer does not know is refused before anything is sent, with what to do, and no variable changes that',
  { tag: '@shell' },
  async ({ service, front, names, startApp, folder }) => {
    const keyLog = path.join(folder, 'tls-keys')
    // Node would check no certificate, and Chromium write the keys of its connections.
    const foul = { NODE_TLS_REJECT_UNAUTHORIZED: '0', SSLKEYLOGFILE: keyLog }
    const app = await startApp('strange', { env: { HTTPS_PROXY: names.url, https_proxy: names.url, ...foul } })
    await openConnectForm(app.page)
    await askService(app.page, { url: `https://${host}`, apiKey: service.apiKey })
    await expect(app.page.getByText(/not trusted by this computer.*add its authority to the system’s certificates/)).toBeVisible()
    // Nobody else is asked anything either.
    expect(new Set(names.seen)).toEqual(new Set([`CONNECT ${host}:443`]))
    expect(front.seen).toEqual([])
    expect(existsSync(keyLog)).toBe(false)
  },
)
