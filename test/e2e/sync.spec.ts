import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { expect, test } from './fixtures.ts'
import { unlock } from './steps/keys.ts'
import { closeQueue, expectSync, openQueue, syncNow } from './steps/sync.ts'
import { addVariable, deleteVariable, editVariable, expectCount, expectValue, importText } from './steps/variables.ts'
import { shareGreeting } from './steps/two-people.ts'
import { connectWithKey, connectWithNewKey, createProject } from './steps/workspaces.ts'

const sample = path.resolve(import.meta.dirname, '../../resources/sample.env')

test(
  'edits made offline wait in the queue, survive a restart, and reach the team when the service is back',
  { tag: '@shell' },
  async ({ app, service, startApp }) => {
    const key = await connectWithNewKey(app.page, service)
    await createProject(app.page, 'Fernweh', 'Production')
    const rows = await importText(app.page, await readFile(sample, 'utf8'))
    await expectCount(app.page, rows)
    await expectSync(app.page, 'synced')

    await service.stop()
    await addVariable(app.page, 'MADE_OFFLINE', 'on a train')
    await editVariable(app.page, 'LOG_LEVEL', 'warn')
    await deleteVariable(app.page, 'TIMEZONE')
    await expectSync(app.page, /queued|offline/)
    await openQueue(app.page)
    await expect(app.page.getByTestId('queue-row')).toHaveCount(3)
    await closeQueue(app.page)

    await app.restart()
    await unlock(app.page)
    await expectCount(app.page, rows)
    await expectValue(app.page, 'MADE_OFFLINE', 'on a train')
    await expectValue(app.page, 'LOG_LEVEL', 'warn')
    await openQueue(app.page)
    await expect(app.page.getByTestId('queue-row')).toHaveCount(3)
    await closeQueue(app.page)

    await service.start()
    await expectSync(app.page, 'synced')

    const stored = await service.ask('GET', '/projects/fernweh/environments/production/variables/MADE_OFFLINE')
    expect(stored.status).toBe(200)
    expect(stored.body.data['value']).toMatch(/^v1:/)
    expect((await service.ask('GET', '/projects/fernweh/environments/production/variables/TIMEZONE')).status).toBe(404)

    const colleague = await startApp('colleague')
    await connectWithKey(colleague.page, service, key)
    await expect(colleague.page.getByTestId('environment-item').filter({ hasText: 'Production' })).toBeVisible()
    await expectCount(colleague.page, rows)
    await expectValue(colleague.page, 'MADE_OFFLINE', 'on a train')
    await expectValue(colleague.page, 'LOG_LEVEL', 'warn')
    await expectValue(colleague.page, 'WELCOME_TEXT', 'Grüß Gott! 地図と地球儀へようこそ 🗺️')
  },
)

test('what a colleague changes arrives by itself', async ({ app, service, startApp }) => {
  const key = await connectWithNewKey(app.page, service)
  await createProject(app.page, 'Fernweh', 'Production')
  await addVariable(app.page, 'SHARED', 'first')
  await expectSync(app.page, 'synced')

  const colleague = await startApp('colleague')
  await connectWithKey(colleague.page, service, key)
  await expectValue(colleague.page, 'SHARED', 'first')
  await editVariable(colleague.page, 'SHARED', 'second')
  await expectSync(colleague.page, 'synced')
  await app.page.getByRole('button', { name: /^Workspace / }).click()
  await app.page.getByRole('menuitem', { name: 'Sync now' }).click()
  await expectValue(app.page, 'SHARED', 'second')
})

test('the system’s word that there is a network again has changes by others looked for at once', async ({ startApp, service }) => {
  const { mine, theirs } = await shareGreeting(startApp, service, 3600)
  await editVariable(theirs.page, 'GREETING', 'made that of it')
  await syncNow(theirs.page)
  await expectSync(theirs.page, 'synced')
  await mine.page.evaluate(() => window.dispatchEvent(new Event('online')))
  await expectValue(mine.page, 'GREETING', 'made that of it')
})

test('a service that asks for no requests for some minutes gets none when the network comes back, until its user asks', async ({
  startApp,
  service,
}) => {
  let isBusy = false
  const proxy = await startFaultProxy(service.url, () =>
    isBusy ? { replace: { status: 429, headers: { 'retry-after': '300' } } } : 'none',
  )
  const { page } = await startApp('mine', {
    workspace: {
      service: { url: proxy.url, apiKey: service.apiKey },
      projects: { Shop: { Production: { HOST: 'one' } } },
      syncSeconds: 3600,
    },
  })
  await expectSync(page, 'synced')
  isBusy = true
  await syncNow(page)
  await expectSync(page, 'offline')
  isBusy = false
  const asked = proxy.log.length
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await openQueue(page)
  await expect(page.getByTestId('queue-panel')).toContainText(/Next try in [45] minutes/)
  await closeQueue(page)
  expect(proxy.log.length).toBe(asked)
  await syncNow(page)
  await expectSync(page, 'synced')
  await proxy.close()
})
