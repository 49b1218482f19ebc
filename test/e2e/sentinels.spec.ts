import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from './fixtures.ts'
import { scanFolder } from './scan-folder.ts'
import { passphrase, unlock } from './steps/keys.ts'
import { expectSync } from './steps/sync.ts'
import { addVariable, editVariable, expectValue, importText } from './steps/variables.ts'
import { connectWithNewKey, createProject } from './steps/workspaces.ts'

const planted = {
  typed: 'sentinel-typed-8c1f0a57e2',
  replaced: 'sentinel-replaced-5b7d91c3f4',
  imported: 'sentinel-imported-e0a4476bd9',
  offline: 'sentinel-offline-27fc83a1b6',
}

test('no plaintext value, key or passphrase is in any byte of the data folder', { tag: '@shell' }, async ({ startApp, service }) => {
  const app = await startApp('holdfast', { ownProcess: true })
  const key = await connectWithNewKey(app.page, service)
  const secrets = [...Object.values(planted), key, service.apiKey, passphrase]
  const keyBytes = Buffer.from(key.replaceAll(/\s/g, ''), 'base64')

  await createProject(app.page, 'Fernweh', 'Production')
  await addVariable(app.page, 'TYPED', planted.typed)
  await expectValue(app.page, 'TYPED', planted.typed)
  await importText(app.page, `IMPORTED=${planted.imported}\nIMPORTED_TOKEN="${planted.imported}"\n`)
  await expectSync(app.page, 'synced')
  await editVariable(app.page, 'TYPED', planted.replaced)
  await expectSync(app.page, 'synced')
  await service.stop()
  await editVariable(app.page, 'TYPED', planted.offline)
  await expectSync(app.page, /queued|offline/)

  const running = await scanFolder(app.dataDir, secrets)
  expect(running.found).toEqual([])
  expect(running.files).toBeGreaterThan(2)

  await app.kill()
  const killed = await scanFolder(app.dataDir, secrets)
  expect(killed.found).toEqual([])

  await app.start()
  await unlock(app.page)
  await expectValue(app.page, 'TYPED', planted.offline)
  await app.quit()
  const closed = await scanFolder(app.dataDir, secrets)
  expect(closed.found).toEqual([])
  expect(keyBytes).toHaveLength(32)
  const raw = await scanFolder(app.dataDir, [keyBytes.toString('latin1')])
  expect(raw.found).toEqual([])

  const stored = await scanFolder(service.dataDir, secrets)
  expect(stored.found).toEqual([])
})

test('the scan finds what is there to find', async ({ folder }) => {
  const text = planted.typed
  await writeFile(path.join(folder, 'plain'), `before ${text} after`)
  await writeFile(path.join(folder, 'wide'), Buffer.from(`before ${text} after`, 'utf16le'))
  await writeFile(path.join(folder, 'base64'), Buffer.from(`xx${text} after`).toString('base64'))
  const scan = await scanFolder(folder, [text])
  expect(scan.found.toSorted()).toEqual([`base64: ${text}`, `plain: ${text}`, `wide: ${text}`])
})
