import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createStage, valueOf } from '../workspaces/start-app.ts'

const stage = createStage()
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-save-'))
})
afterEach(async () => {
  await stage.clear()
  rmSync(folder, { recursive: true, force: true })
})

const save = async (askWhereToSave?: (name: string) => Promise<string | null>) => {
  const it = await stage.start({ deps: askWhereToSave ? { askWhereToSave } : {} })
  return it.command('file.save', { name: 'shop.env', text: 'A=1\n' })
}

describe('a file that is saved', () => {
  test('is one that its user alone can read, even in place of one that others could, and leaves its neighbours as they are', async () => {
    const file = join(folder, 'shop.env')
    writeFileSync(file, 'old', { mode: 0o644 })
    writeFileSync(`${file}.new`, 'a file of the user')
    expect(await save(async (name) => join(folder, name))).toEqual({ ok: true, value: { saved: true } })
    expect(readFileSync(file, 'utf8')).toBe('A=1\n')
    if (process.platform !== 'win32') expect((statSync(file).mode & 0o777).toString(8)).toBe('600')
    expect(readdirSync(folder)).toEqual(['shop.env', 'shop.env.new'])
    expect(readFileSync(`${file}.new`, 'utf8')).toBe('a file of the user')
  })

  test('is not written once its user cancels', async () => {
    expect(await save(async () => null)).toEqual({ ok: true, value: { saved: false } })
    expect(readdirSync(folder)).toEqual([])
  })

  test('is not written once the keys are locked, wherever its user chooses to save it then', async () => {
    const dialog = Promise.withResolvers<string | null>()
    const it = await stage.start({ deps: { askWhereToSave: () => dialog.promise } })
    valueOf(await it.command('keys.choose', { store: 'vault', passphrase: 'four random words here' }))
    let answer: unknown = 'none yet'
    const saving = it.command('file.save', { name: 'shop.env', text: 'A=1\n' }).then((given) => (answer = given))
    valueOf(await it.command('keys.lock', {}))
    // While the dialog is still open: the text must not wait for it.
    await expect.poll(() => answer, { timeout: 10_000 }).toEqual({ ok: true, value: { saved: false } })
    dialog.resolve(join(folder, 'shop.env'))
    await saving
    await it.app.close()
    expect(readdirSync(folder)).toEqual([])
  })

  test('that cannot be written is refused with what to do, and what was there stays', async () => {
    const taken = join(folder, 'shop.env')
    writeFileSync(taken, 'old')
    expect(await save(async (name) => join(taken, name))).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('Choose another folder') as unknown },
    })
    expect([readdirSync(folder), readFileSync(taken, 'utf8')]).toEqual([['shop.env'], 'old'])
  })

  test('is left to the page where there is no window to ask in', async () => {
    expect(await save()).toMatchObject({ ok: false, error: { kind: 'unsupported' } })
    expect(existsSync(join(folder, 'shop.env'))).toBe(false)
  })
})
