import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Bridge } from '../../electron/bridge/bridge.ts'
import { descendantsOf } from '../support/descendants-of.ts'
import { expect, test } from './fixtures.ts'
import type { AppUnderTest } from './fixtures.ts'
import { scanFolder } from './scan-folder.ts'
import { unlock } from './steps/keys.ts'
import { expectValue } from './steps/variables.ts'

/** What only a real window has: a place on the desktop, a computer that sleeps. */

const bounds = (app: AppUnderTest) => app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds())

test('the window opens again where and as large as it was', { tag: '@shell' }, async ({ startApp }) => {
  const app = await startApp('holdfast', { keepsSize: true })
  const wanted = { x: 40, y: 60, width: 910, height: 640 }
  await app.electron.evaluate(({ BrowserWindow }, to) => BrowserWindow.getAllWindows()[0]?.setBounds(to), wanted)
  await expect.poll(() => bounds(app)).toEqual(wanted)
  await app.restart()
  await expect.poll(() => bounds(app)).toEqual(wanted)
})

test('two clicks on the Dock after the window was closed open one window, which works', { tag: '@shell' }, async ({ startApp }) => {
  const app = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: { GREETING: 'hello' } } } } })
  const [opened] = await Promise.all([
    app.electron.waitForEvent('window'),
    app.electron.evaluate(async ({ app: electron, BrowserWindow }) => {
      // As on macOS, where closing the window doesn't end the application.
      electron.removeAllListeners('window-all-closed')
      electron.on('window-all-closed', () => {})
      const [window] = BrowserWindow.getAllWindows()
      const closed = new Promise<void>((resolve) => window?.on('closed', () => resolve()))
      window?.close()
      await closed
      electron.emit('activate')
      electron.emit('activate')
    }),
  ])
  await expectValue(opened, 'GREETING', 'hello')
  expect(await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1)
})

test('keys are locked when the computer wakes up after a longer sleep than the setting allows', { tag: '@shell' }, async ({ startApp }) => {
  const app = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: { GREETING: 'hello' } } } } })
  await app.page.keyboard.press('ControlOrMeta+,')
  const settings = app.page.getByTestId('settings-dialog')
  await settings.getByLabel('Lock Holdfast after').selectOption('1 hour')
  // The page shows a choice before it is stored.
  const stored = async () => JSON.parse(await readFile(path.join(app.dataDir, 'settings.json'), 'utf8'))
  await expect.poll(stored).toMatchObject({ lockAfterMinutes: 60 })
  await app.page.keyboard.press('Escape')
  await expect(settings).toHaveCount(0)

  const sleep = (minutes: number) =>
    app.electron.evaluate(({ powerMonitor }, ms) => {
      const now = Date.now
      Date.now = () => now() + ms
      powerMonitor.emit('resume')
    }, minutes * 60_000)
  await sleep(30)
  await expectValue(app.page, 'GREETING', 'hello')
  await sleep(120)
  await unlock(app.page)
  await expectValue(app.page, 'GREETING', 'hello')
})

test('keys are locked as soon as the computer sleeps or its screen is locked', { tag: '@shell' }, async ({ startApp }) => {
  const app = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: { GREETING: 'hello' } } } } })
  for (const event of ['suspend', 'lock-screen'] as const) {
    await expectValue(app.page, 'GREETING', 'hello')
    await app.electron.evaluate(({ powerMonitor }, name) => powerMonitor.emit(name), event)
    await unlock(app.page)
  }
  await expectValue(app.page, 'GREETING', 'hello')
})

test('the window is hidden from screen capture as soon as its user asks for it', { tag: '@shell' }, async ({ startApp }) => {
  const app = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: { GREETING: 'hello' } } } } })
  // What a system does with it is not seen here: Linux has no such protection.
  await app.electron.evaluate(({ BrowserWindow }) => {
    BrowserWindow.prototype.setContentProtection = (on) => void Object.assign(globalThis, { isProtected: on })
  })
  const isProtected = () => app.electron.evaluate(() => (globalThis as { isProtected?: boolean }).isProtected)
  for (const hideFromCapture of [true, false]) {
    await app.page.evaluate(
      (settings) => (window as unknown as { holdfast: Pick<Bridge, 'command'> }).holdfast.command('settings.set', settings),
      { hideFromCapture },
    )
    await expect.poll(isProtected).toBe(hideFromCapture)
  }
})

test(
  'an exception that nothing caught ends Holdfast in order: one sentence, no word of what it said, and every edit is there at the next start',
  { tag: '@shell' },
  async ({ startApp }) => {
    const app = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: { GREETING: 'hello' } } } } })
    const child = app.electron.process()
    let said = ''
    child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()))
    const ended = once(child, 'exit')
    await app.electron.evaluate(({ dialog }) => {
      // Nobody is there to press its button.
      const showMessageBox = async (options: { message: string }) => process.stderr.write(`dialog: ${options.message}\n`)
      Object.assign(dialog, { showMessageBox })
      setTimeout(() => {
        throw new Error('the value is s3cret')
      })
    })
    expect(await ended).toEqual([1, null])
    const sentences = said.split('\n').filter((line) => line.includes('Something went wrong in Holdfast'))
    const reference = /include ([0-9a-f]{8})\./.exec(said)?.[1] ?? 'none'
    expect(sentences).toEqual([expect.stringMatching(`include ${reference}`), expect.stringMatching(`^dialog: .*include ${reference}`)])
    const log = await readFile(path.join(app.dataDir, 'logs/holdfast.log'), 'utf8')
    expect(log).toContain(reference)
    expect(said + log).not.toContain('s3cret')
    // The process has ended: this only lets go of it.
    await app.kill()
    await app.start()
    await unlock(app.page)
    await expectValue(app.page, 'GREETING', 'hello')
  },
)

test(
  'a crash leaves nothing of the memory of the window in a core file, and no crash report',
  { tag: '@shell' },
  async ({ startApp, folder }) => {
    test.skip(process.platform !== 'linux', 'Only Linux lets a program decide that.')
    const app = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: { GREETING: 'sentinel-of-a-crash' } } } } })
    await expectValue(app.page, 'GREETING', 'sentinel-of-a-crash')
    const main = await app.electron.evaluate(() => process.pid)
    const processes = [{ pid: main, type: 'main' }, ...descendantsOf(main)]
    const filters = processes.map(({ pid, type }) => [type, readFileSync(`/proc/${pid}/coredump_filter`, 'utf8').trim()])
    // One that has just ended has no memory any more, and no filter.
    expect(filters.filter(([, filter]) => filter !== '00000000' && filter !== '')).toEqual([])
    expect(processes.filter(({ type }) => type === 'crashpad-handler')).toEqual([])
    const reports = await app.electron.evaluate(({ crashReporter }) => ({
      sent: crashReporter.getUploadedReports(),
      parameters: crashReporter.getParameters(),
    }))
    expect(reports).toEqual({ sent: [], parameters: {} })

    // What the system writes at a crash comes into the folder that the program runs in.
    const left = path.join(folder, 'left')
    await mkdir(left)
    await app.electron.evaluate((_, to) => process.chdir(to), left)
    execFileSync('prlimit', ['--pid', String(main), '--core=unlimited'])
    const child = app.electron.process()
    const ended = once(child, 'exit')
    child.kill('SIGSEGV')
    expect((await ended)[1]).toBe('SIGSEGV')
    expect((await scanFolder(folder, ['sentinel-of-a-crash'])).found).toEqual([])
    // A core file with memory in it is hundreds of megabytes long, and may be too large to be scanned.
    const sizes = await Promise.all((await readdir(left)).map(async (file) => (await stat(path.join(left, file))).size))
    expect(Math.max(0, ...sizes)).toBeLessThan(10_000_000)
    const files = await readdir(folder, { recursive: true })
    expect(files.filter((file) => file.endsWith('.dmp'))).toEqual([])
  },
)

test('the data folder is opened from the settings in the file manager of the system', { tag: '@shell' }, async ({ startApp }) => {
  const app = await startApp('holdfast', { workspace: {} })
  const { page, electron } = app
  await page.getByTestId('tour').getByRole('button', { name: 'Skip' }).click()
  // No file manager is there: the system's answers are given in its place.
  await electron.evaluate(({ shell }) => {
    const answers = ['', 'No program opens it']
    shell.openPath = async (folder) => ((globalThis as { opened?: string }).opened = folder) && (answers.shift() ?? '')
  })
  await page.keyboard.press('ControlOrMeta+,')
  const settings = page.getByTestId('settings-dialog')
  await settings.getByRole('tab', { name: 'Data' }).click()
  await settings.getByRole('button', { name: 'Open', exact: true }).click()
  await expect.poll(() => electron.evaluate(() => (globalThis as { opened?: string }).opened)).toBe(app.dataDir)
  await settings.getByRole('button', { name: 'Open', exact: true }).click()
  await expect(page.getByText(`No program opens it. The folder is ${app.dataDir}`)).toBeVisible()
})
