import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSettings } from '../../../electron/app/settings/open-settings.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-settings-'))
})
afterEach(async () => {
  await chmod(folder, 0o700)
  await rm(folder, { recursive: true })
})

/** What is set where nobody set anything. */
const untouched = {
  theme: 'system',
  hideFromCapture: false,
  maskAll: false,
  hasPin: false,
  pinEntry: 'lock-pin',
  asksSystem: null,
  isLocked: false,
  lockAfterMinutes: 15,
  clipboardClearSeconds: 30,
  syncIntervalSeconds: 15,
  tourSeen: false,
}

const open = async () => {
  const opened = await openSettings(folder)
  if (!opened.ok) throw new Error(opened.error.kind)
  return opened.value
}

test('a new folder remembers nothing, and gets no file until there is something to remember', async () => {
  expect((await open()).get()).toEqual({ keyStore: null, place: null, ...untouched })
  expect(await readdir(folder)).toEqual([])
})

test('what was updated is there at the next start', async () => {
  await (await open()).update({ keyStore: 'vault' })
  await (await open()).update({ place: { workspaceId: 'w', environmentId: null } })
  expect((await open()).get()).toEqual({ keyStore: 'vault', place: { workspaceId: 'w', environmentId: null }, ...untouched })
  expect(await readdir(folder)).toEqual(['settings.json'])
})

test('updates that overlap are written one after the other, none is lost', async () => {
  const settings = await open()
  await Promise.all([
    settings.update({ keyStore: 'os' }),
    settings.update({ place: { workspaceId: 'a', environmentId: null } }),
    settings.update({ place: { workspaceId: 'b', environmentId: 'e' } }),
  ])
  expect((await open()).get()).toEqual({ keyStore: 'os', place: { workspaceId: 'b', environmentId: 'e' }, ...untouched })
})

test.each([
  ['half a file', '{"keyStore": "va'],
  ['no object', '[]'],
  ['nothing', ''],
])('%s is moved aside and Holdfast starts with nothing remembered', async (_, text) => {
  await writeFile(join(folder, 'settings.json'), text)
  const settings = await open()
  expect(settings.get()).toEqual({ keyStore: null, place: null, ...untouched })
  await settings.update({ keyStore: 'os' })
  expect(await readFile(join(folder, 'settings.json.damaged'), 'utf8')).toBe(text)
  expect((await open()).get().keyStore).toBe('os')
})

test('a field of the wrong shape counts as absent, and fields of a newer Holdfast stay in the file', async () => {
  await writeFile(
    join(folder, 'settings.json'),
    JSON.stringify({ keyStore: 'cloud', place: 3, theme: 'dark', lockAfterMinutes: -1, syncIntervalSeconds: 1, font: 'big' }),
  )
  const settings = await open()
  expect(settings.get()).toEqual({ keyStore: null, place: null, ...untouched, theme: 'dark' })
  await settings.update({ keyStore: 'os' })
  expect(JSON.parse(await readFile(join(folder, 'settings.json'), 'utf8'))).toMatchObject({ keyStore: 'os', theme: 'dark', font: 'big' })
})
