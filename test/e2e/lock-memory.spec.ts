import { expect, test } from './fixtures.ts'
import { descendantsOf } from '../support/descendants-of.ts'
import { scanMemory } from '../support/scan-memory.ts'
import { rowOf } from './steps/variables.ts'

/** What the page is asked to do here, all by itself: a text that the test typed would be in the messages of the test's debugger. */
interface Bridge {
  command(name: string, args: object): Promise<{ ok: boolean; value: never; error?: { message: string } }>
  query(name: string, args: object): Promise<{ ok: boolean; value: never; error?: { message: string } }>
}

const reversed = (text: string) => [...text].toReversed().join('')

test('some seconds after a lock no process of the window holds a key, passphrase or value', { tag: '@shell' }, async ({ app, driver }) => {
  test.skip(driver !== 'electron', "Memory of the host is read in test/host/lock-memory; a browser's is its own.")
  test.skip(process.platform !== 'linux', 'Only Linux lets a program read the memory of its children.')
  const { page, electron } = app
  await expect(page.getByText('Start a local workspace')).toBeVisible()
  const planted = await page.evaluate(async () => {
    const { holdfast } = window as unknown as { holdfast: Bridge }
    const word = () => [...crypto.getRandomValues(new Uint8Array(18))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
    const done = async <T>(answer: Promise<{ ok: boolean; value: unknown; error?: { message: string } }>): Promise<T> => {
      const result = await answer
      if (!result.ok) throw new Error(result.error?.message)
      return result.value as T
    }
    const [passphrase, value, edited] = [word(), word(), word()] as [string, string, string]
    await done(holdfast.command('keys.choose', { store: 'vault', passphrase }))
    const { workspaceId } = await done<{ workspaceId: string }>(holdfast.command('workspaces.start-local', {}))
    const project = await done<{ id: string }>(holdfast.command('projects.create', { workspaceId, name: 'Shop' }))
    const environment = await done<{ id: string }>(
      holdfast.command('environments.create', { workspaceId, projectId: project.id, name: 'production' }),
    )
    const variable = { workspaceId, environmentId: environment.id, type: 'string', isSecret: true }
    const { id } = await done<{ id: string }>(holdfast.command('variables.create', { ...variable, name: 'API_KEY', value }))
    await done(holdfast.command('variables.create', { ...variable, name: 'URL', value: `postgres://x:${edited}@db/shop` }))
    await done(holdfast.query('variables.values', { workspaceId, ids: [id], reveal: true }))
    await done(holdfast.query('export.text', { workspaceId, environmentId: environment.id, format: 'env', reveal: true, resolve: true }))
    const { recoveryKey } = await done<{ recoveryKey: string }>(holdfast.query('keys.recovery', { workspaceId }))
    await done(holdfast.command('app.remember-place', { workspaceId, environmentId: environment.id }))
    const backwards = (text: string) => [...text].toReversed().join('')
    return {
      passphrase: backwards(passphrase),
      value: backwards(value),
      edited: backwards(edited),
      recoveryKey: backwards(recoveryKey),
    }
  })
  const recoveryKey = reversed(planted.recoveryKey)
  const needles = {
    passphrase: reversed(planted.passphrase),
    value: reversed(planted.value),
    edited: reversed(planted.edited),
    'key as text': recoveryKey,
    'key as bytes': Buffer.from(recoveryKey, 'base64'),
  }
  // Electron is not asked: what a lock collects as garbage would take the answer with it.
  const main = await electron.evaluate(() => process.pid)
  const processes = () => [{ pid: main, type: 'browser' }, ...descendantsOf(main)]
  /** How often each is in memory, by kind of process. */
  const found = async () => {
    const counts: Record<string, number> = {}
    for (const { pid, type } of processes())
      for (const [name, count] of Object.entries(scanMemory(pid, needles))) if (count > 0) counts[`${type}: ${name}`] = count
    return counts
  }
  // The page shows it, as a user would have it.
  await page.reload()
  await rowOf(page, 'API_KEY').hover()
  await rowOf(page, 'API_KEY').getByRole('button', { name: 'Reveal API_KEY' }).click()
  // From here on no locator is asserted: that sends a snapshot of the page, value included, through the main process. A locator's own wait does not,
  // and, other than a function in the page, lets the page load itself anew meanwhile.
  await rowOf(page, 'API_KEY').getByRole('button', { name: 'Hide API_KEY' }).waitFor()
  expect(Object.keys(await found())).toEqual(expect.arrayContaining(['browser: key as bytes', 'renderer: value']))
  await page.keyboard.press('ControlOrMeta+Shift+L')
  await page.getByText('You locked Holdfast.').waitFor()
  await expect.poll(found, { intervals: [3000], timeout: 45_000 }).toEqual({})
  expect(processes().map(({ type }) => type)).toEqual(expect.arrayContaining(['browser', 'renderer']))
  // What was read is the process that ran all the time. Asking it would race its collector, which a lock runs.
  const { pid, exitCode } = electron.process()
  expect({ pid, exitCode }).toEqual({ pid: main, exitCode: null })
})
