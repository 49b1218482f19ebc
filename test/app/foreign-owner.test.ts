import {
  chmodSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { foreignPart, isOwn } from '../../electron/app/foreign-owner.ts'
import { makeDataFolder } from '../../electron/app/make-data-folder.ts'
import { removeStaleSamples } from '../../electron/app/workspaces/sample-folders.ts'
import { chromiumDir } from '../../electron/main/chromium-dir.ts'
import { openLog } from '../../electron/shell/open-log.ts'
import { canGiveAway, foreignFolder, stranger } from '../support/foreign-folder.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'holdfast-owner-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

// Root may write everywhere.
test.skipIf(process.platform === 'win32' || process.getuid?.() === 0)('Chromium gets a folder elsewhere where its own is read-only', () => {
  expect(chromiumDir(folder)).toBe(path.join(folder, 'electron'))
  chmodSync(path.join(folder, 'electron'), 0o500)
  expect(path.dirname(chromiumDir(folder))).not.toBe(folder)
})

test.skipIf(process.platform === 'win32')('what others could write to in a folder of ours they cannot from then on', async () => {
  chmodSync(folder, 0o777)
  expect(await makeDataFolder(folder)).toMatchObject({ ok: true })
  expect(statSync(folder).mode & 0o777).toBe(0o755)
  expect(foreignPart(folder)).toBeNull()
})

test.skipIf(process.platform === 'win32')(
  'what a copy of the data folder left open to others is closed, and nothing else in it',
  async () => {
    const folders = ['workspaces', 'logs', 'electron', 'photos'].map((name) => path.join(folder, name))
    const files = ['keys.vault', 'keys.vault.old', 'settings.json', 'holdfast.lock', 'notes.txt'].map((name) => path.join(folder, name))
    for (const each of folders) mkdirSync(each)
    for (const each of files) writeFileSync(each, '')
    for (const each of folders) chmodSync(each, 0o755)
    for (const each of files) chmodSync(each, 0o644)
    expect(await makeDataFolder(folder)).toMatchObject({ ok: true })
    const open = [...folders, ...files].filter((each) => (statSync(each).mode & 0o077) !== 0)
    expect(open.map((each) => path.basename(each))).toEqual(['photos', 'notes.txt'])
    expect(statSync(path.join(folder, 'workspaces')).mode & 0o777).toBe(0o700)
  },
)

// Node's own way to create folders never ends there.
test.runIf(process.platform === 'linux')('a folder that the system creates nowhere is refused at once', async () => {
  const nowhere = '/proc/holdfast/data'
  expect(await makeDataFolder(nowhere)).toMatchObject({ ok: false, error: { kind: 'folder-read-only' } })
  expect(() => openLog(nowhere)('info', 'a line')).not.toThrow()
  expect(path.dirname(chromiumDir(nowhere))).not.toBe(nowhere)
})

test('nothing is nobody’s', () => {
  expect(isOwn(path.join(folder, 'none'))).toBe(false)
  expect(isOwn(folder)).toBe(true)
})

test.skipIf(canGiveAway || process.platform === 'win32')('a folder of the administrator is not ours', () => {
  expect(foreignPart('/')).toBe('/')
})

// Another user of this computer waits in a folder that Holdfast is going to use, or in the system's temporary one.
describe.runIf(canGiveAway)('another user of this computer', () => {
  const linkTo = (target: string, at: string) => {
    symlinkSync(target, at)
    lchownSync(at, stranger, stranger)
  }

  test('has made the data folder before: it is refused, and nothing is written through a link in it', async () => {
    const theirs = foreignFolder()
    const mine = path.join(folder, 'profile')
    writeFileSync(mine, 'as it was\n')
    mkdirSync(path.join(theirs, 'logs'))
    linkTo(mine, path.join(theirs, 'logs/holdfast.log'))
    expect(await makeDataFolder(theirs)).toMatchObject({
      ok: false,
      error: { kind: 'folder-read-only', message: expect.stringContaining('belongs to another user of this computer') },
    })
    openLog(theirs)('info', 'a line')
    expect(readFileSync(mine, 'utf8')).toBe('as it was\n')
    expect(path.dirname(chromiumDir(theirs))).not.toBe(theirs)
    expect(readdirSync(theirs)).toEqual(['logs'])
  })

  test.each(['settings.json', 'workspaces', 'logs', 'holdfast.lock'])(
    'has put a link %s into the data folder: it is refused',
    async (name) => {
      linkTo(path.join(folder, 'elsewhere'), path.join(folder, name))
      expect(await makeDataFolder(folder)).toMatchObject({
        ok: false,
        error: { message: expect.stringContaining(path.join(folder, name)) },
      })
    },
  )

  test('has put samples into the temporary folder: none is opened, and none is removed', async () => {
    const theirs = path.join(folder, 'holdfast-sample-theirs')
    mkdirSync(theirs)
    lchownSync(theirs, stranger, stranger)
    const mine = path.join(folder, 'mine')
    mkdirSync(mine)
    writeFileSync(path.join(mine, 'holdfast.lock'), '')
    linkTo(path.join(mine, 'holdfast.lock'), path.join(theirs, 'holdfast.lock'))
    linkTo(mine, path.join(folder, 'holdfast-sample-linked'))
    const own = path.join(folder, 'holdfast-sample-own')
    mkdirSync(own)
    writeFileSync(path.join(own, 'holdfast.lock'), '')
    await removeStaleSamples(folder)
    expect(existsSync(own)).toBe(false)
    expect(readdirSync(theirs)).toEqual(['holdfast.lock'])
    expect(lstatSync(path.join(folder, 'holdfast-sample-linked')).isSymbolicLink()).toBe(true)
    expect(readFileSync(path.join(mine, 'holdfast.lock'), 'utf8')).toBe('')
  })
})
