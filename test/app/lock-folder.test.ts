import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockFolder } from '../../electron/app/lock-folder.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-lock-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Another process that takes the lock, says so, and holds it until it is killed. */
const holder = async () => {
  const file = new URL('../../electron/app/lock-folder.ts', import.meta.url).href
  const program = `import { lockFolder } from ${JSON.stringify(file)}
    const lock = lockFolder(${JSON.stringify(folder)})
    console.log(lock.ok)
    setInterval(() => lock.ok, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  const said = await new Promise<string>((resolve) => child.stdout.once('data', (data: Buffer) => resolve(data.toString().trim())))
  const ended = new Promise((resolve) => child.once('exit', resolve))
  return {
    said,
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

test('a second lock of the same folder is refused, and given after the first is released', () => {
  const first = lockFolder(folder)
  if (!first.ok) throw new Error(first.error.kind)
  expect(lockFolder(folder)).toMatchObject({ ok: false, error: { kind: 'folder-in-use', message: expect.stringContaining(folder) } })
  expect(lockFolder(folder)).toMatchObject({ ok: false, error: { kind: 'folder-in-use', message: expect.stringContaining(folder) } })
  first.value.release()
  const second = lockFolder(folder)
  expect(second.ok).toBe(true)
  if (second.ok) second.value.release()
})

test('the lock of another process holds, and is free as soon as that process is killed', async () => {
  const other = await holder()
  try {
    expect(other.said).toBe('true')
    expect(lockFolder(folder)).toMatchObject({ ok: false, error: { kind: 'folder-in-use', message: expect.stringContaining(folder) } })
  } finally {
    await other.kill()
  }
  const mine = lockFolder(folder)
  expect(mine.ok).toBe(true)
  if (mine.ok) mine.value.release()
})

test('a lock file that cannot be opened is told as a folder that cannot be written', async () => {
  await mkdir(join(folder, 'holdfast.lock'))
  expect(lockFolder(folder)).toMatchObject({ ok: false, error: { kind: 'folder-read-only', message: expect.stringContaining(folder) } })
})
