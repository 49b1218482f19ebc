import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { findElectron } from '../../electron/host/find-electron.ts'

/** A checkout whose Electron has an installer that waits for the file `go`, and then runs `work`. */
function setUp(work: string) {
  const root = mkdtempSync(path.join(tmpdir(), 'holdfast-electron-'))
  const stop = new AbortController()
  onTestFinished(() => {
    stop.abort()
    rmSync(root, { recursive: true, force: true })
  })
  const folder = path.join(root, 'node_modules/electron')
  mkdirSync(path.join(folder, 'dist'), { recursive: true })
  const installer = `const fs = require('node:fs')
process.chdir(__dirname)
setInterval(() => {
  if (!fs.existsSync('go')) return
  ${work}
  process.exit()
}, 10)`
  writeFileSync(path.join(folder, 'install.js'), installer)
  const tell = vi.fn<(sentence: string) => void>()
  const find = (downloadMs: number) => findElectron({ root, platform: 'linux', env: {}, downloadMs, signal: stop.signal, tell })
  return { find, tell, stop, go: () => writeFileSync(path.join(folder, 'go'), ''), executable: path.join(folder, 'dist/electron') }
}

const install = `fs.writeFileSync('dist/electron', ''); fs.writeFileSync('path.txt', 'electron')`

test('an Electron that is downloaded in time is found', async () => {
  const { find, go, executable, tell } = setUp(install)
  go()
  expect(await find(60_000)).toEqual({ found: true, executable })
  expect(tell).not.toHaveBeenCalled()
})

test('an installer that fails in time is reported', async () => {
  const { find, go } = setUp('')
  go()
  expect(await find(60_000)).toEqual({ found: false, why: 'Electron could not be downloaded' })
})

test.each([
  { what: 'that the next start has it', work: install, said: 'Electron is downloaded: the next start opens a window.', isFound: true },
  { what: 'that it failed', work: '', said: 'Electron could not be downloaded.', isFound: false },
])('the user is told to keep Holdfast running during a slow download, and then $what', async ({ work, said, isFound }) => {
  const { find, go, tell } = setUp(work)
  const why = 'Electron is still being downloaded (keep Holdfast running until this is done)'
  expect(await find(1)).toEqual({ found: false, why })
  expect(tell).not.toHaveBeenCalled()
  go()
  await expect.poll(() => tell.mock.calls, { timeout: 60_000 }).toEqual([[said]])
  expect((await find(60_000)).found).toBe(isFound)
})

test('nothing is said of a slow download that ends with Holdfast', async () => {
  const { find, stop, tell } = setUp(install)
  await find(1)
  stop.abort()
  await new Promise((resolve) => setImmediate(resolve))
  expect(tell).not.toHaveBeenCalled()
})
