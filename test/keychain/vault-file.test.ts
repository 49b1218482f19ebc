import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { replaceKeepingOld } from '../../electron/keychain/replace-keeping-old.ts'
import { createVaultFile, openVaultFile } from '../../electron/keychain/vault-file.ts'
import type { VaultFile } from '../../electron/keychain/vault-file.ts'
import type { Result } from '../../electron/bridge/result.ts'
import { cheapDerivation } from '../support/cheap-derivation.ts'
import { plainBytesAfter } from '../support/plain-bytes.ts'

const passphrase = 'correct horse battery'
let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'vault-'))
  file = path.join(folder, 'vault')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function must<T>(result: Result<T, unknown>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.value
}
const create = async () => must(await createVaultFile(file, passphrase, cheapDerivation()))
const reopen = async () => must(await openVaultFile(file, passphrase))
const kindOf = (result: Result<unknown, { kind: string }>) => (result.ok ? 'ok' : result.error.kind)
const lines = () => readFileSync(file, 'utf8').split('\n')
/** Writes lines 1 and 2 with a checksum that fits, as someone would who knows the format. */
const forge = (first: string, second: string) => {
  const text = `${first}\n${second}\n`
  writeFileSync(file, `${text}${createHash('sha256').update(text).digest('hex')}\n`)
}

describe('keeping', () => {
  test('what was set is there after the vault is opened again', async () => {
    const vault = await create()
    for (const name of ['api-key/1', '__proto__', 'ü 🦀', '1']) must(await vault.set(name, `secret of ${name}`))
    must(await vault.delete('1'))
    vault.close()
    const again = await reopen()
    for (const name of ['api-key/1', '__proto__', 'ü 🦀']) expect(await again.get(name)).toEqual({ ok: true, value: `secret of ${name}` })
    expect(await again.get('1')).toEqual({ ok: true, value: null })
    expect(await again.get('constructor')).toEqual({ ok: true, value: null })
  })

  test('fifty sets at once are all kept', async () => {
    const vault = await create()
    const names = Array.from({ length: 50 }, (_, i) => `name-${i}`)
    await Promise.all(names.map((name) => vault.set(name, name).then(must)))
    const again = await reopen()
    for (const name of names) expect(await again.get(name)).toEqual({ ok: true, value: name })
  })

  test('a closed vault says locked, and a set begun before is still written', async () => {
    const vault = await create()
    const begun = vault.set('a', '1')
    const behind = vault.set('b', '2')
    await begun
    vault.close()
    expect(kindOf(await vault.get('a'))).toBe('keychain-locked')
    expect(kindOf(await vault.set('c', '3'))).toBe('keychain-locked')
    await behind
    expect(await (await reopen()).get('a')).toEqual({ ok: true, value: '1' })
  })

  test.runIf(process.platform !== 'win32')('the file is for its owner alone, and nothing else is left in the folder', async () => {
    const vault = await create()
    writeFileSync(`${file}.new`, 'left by a crash', { mode: 0o666 })
    must(await vault.set('a', '1'))
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['vault'])
  })

  test('a new vault never overwrites an old one', async () => {
    for (const secret of ['first', 'second', 'third']) must(await (await create()).set('a', secret))
    expect(readdirSync(folder).sort()).toEqual(['vault', 'vault.old', 'vault.old-2'])
    const old = must(await openVaultFile(`${file}.old`, passphrase))
    expect(await old.get('a')).toEqual({ ok: true, value: 'first' })
  })

  test.each<[what: string, keys: Record<string, string>, usedPassphrase: string, left: string[]]>([
    ['that it opened and that holds the same is deleted', { a: '1' }, passphrase, ['vault']],
    ['that holds another key is kept', { a: '1', b: '2' }, passphrase, ['vault', 'vault.old']],
    ['that holds another secret is kept', { a: 'former' }, passphrase, ['vault', 'vault.old']],
    ['under another passphrase is kept', { a: '1' }, 'quite another passphrase', ['vault', 'vault.old']],
  ])('after a change of the passphrase an old vault %s', async (_what, keys, usedPassphrase, left) => {
    const old = must(await createVaultFile(file, usedPassphrase, cheapDerivation()))
    for (const [name, secret] of Object.entries(keys)) must(await old.set(name, secret))
    const vault = await create()
    for (const [name, secret] of [
      ['a', '1'],
      ['c', '3'],
    ] as const)
      must(await vault.set(name, secret))
    must(await vault.changePassphrase(passphrase, 'a longer new passphrase'))
    expect(readdirSync(folder).sort()).toEqual(left)
  })

  test('an old vault keeps its name when a new one cannot be written', async () => {
    must(await (await create()).set('a', '1'))
    const inTheWay = `${file}.fresh.new`
    mkdirSync(inTheWay)
    expect(kindOf(await createVaultFile(file, passphrase, cheapDerivation()))).toBe('folder-read-only')
    rmdirSync(inTheWay)
    expect(readdirSync(folder)).toEqual(['vault'])
    expect(await (await reopen()).get('a')).toEqual({ ok: true, value: '1' })
  })

  test('an old vault keeps its name when a new one cannot take it', async () => {
    must(await (await create()).set('a', '1'))
    await expect(replaceKeepingOld(file, path.join(folder, 'held by a virus scanner'))).rejects.toThrow('ENOENT')
    expect(readdirSync(folder)).toEqual(['vault'])
    expect(await (await reopen()).get('a')).toEqual({ ok: true, value: '1' })
  })
})

describe('secrecy', () => {
  const sentinel = 'SENTINEL-5b1d9c-VALUE'
  const hidden = (): string => {
    const bytes = readdirSync(folder)
      .map((name) => readFileSync(path.join(folder, name), 'latin1'))
      .join('\n')
    const decoded = bytes.split('\n').map((line) => Buffer.from(line, 'base64').toString('latin1'))
    return [bytes, ...decoded].join('\n')
  }

  test('neither secret nor name nor passphrase stands in the file, plain or in base64', async () => {
    const vault = await create()
    must(await vault.set('SENTINEL-NAME', sentinel))
    must(await vault.changePassphrase(passphrase, 'SENTINEL-PASSPHRASE'))
    expect(hidden()).toContain('holdfast-vault')
    expect(hidden()).not.toContain('SENTINEL')
    expect(hidden()).not.toContain(Buffer.from(sentinel).toString('hex'))
  })

  test('two writes of the same secrets differ everywhere but in the parameters', async () => {
    const vault = await create()
    must(await vault.set('a', '1'))
    const before = lines()
    must(await vault.set('a', '1'))
    expect(lines()[1]).not.toBe(before[1])
    expect(JSON.parse(lines()[0] ?? '').cipher.iv).not.toBe(JSON.parse(before[0] ?? '').cipher.iv)
  })

  test('what was sealed, opened, or found to be changed, is overwritten', async () => {
    const bytes = await plainBytesAfter(async () => {
      must(await (await create()).set('a', sentinel))
      await reopen()
      const [first = '', second = ''] = lines()
      const body = Buffer.from(second, 'base64')
      forge(first, body.fill((body.at(-1) ?? 0) ^ 1, body.length - 1).toString('base64'))
      expect(kindOf(await openVaultFile(file, passphrase))).toBe('passphrase-wrong')
    })
    expect(bytes.length).toBeGreaterThan(3 * sentinel.length)
    expect(bytes).toEqual(Buffer.alloc(bytes.length))
  })

  test('the key is made by scrypt with N=2^17, r=8, p=1 and a salt of 32 bytes', async () => {
    must(await createVaultFile(file, passphrase))
    const { kdf } = JSON.parse(lines()[0] ?? '')
    expect(kdf).toMatchObject({ name: 'scrypt', N: 131_072, r: 8, p: 1 })
    expect(Buffer.from(kdf.salt, 'base64')).toHaveLength(32)
  })
})

describe('the passphrase', () => {
  test('a wrong one is told from a damaged file', async () => {
    await create()
    expect(kindOf(await openVaultFile(file, 'not the passphrase'))).toBe('passphrase-wrong')
  })

  test('one passphrase typed with accents composed or apart is one', async () => {
    must(await createVaultFile(file, 'grünes Tal'))
    expect(kindOf(await openVaultFile(file, 'gru\u0308nes Tal'))).toBe('ok')
  })

  test('a short one makes no vault', async () => {
    expect(await createVaultFile(file, 'short')).toMatchObject({ ok: false, error: { kind: 'invalid-input', field: 'passphrase' } })
    expect(existsSync(file)).toBe(false)
  })

  test('changing it keeps the secrets and ends the old one', async () => {
    const vault = await create()
    must(await vault.set('a', '1'))
    const salt = () => JSON.parse(lines()[0] ?? '').kdf.salt
    const before = salt()
    must(await vault.changePassphrase(passphrase, 'another passphrase'))
    expect(salt()).not.toBe(before)
    must(await vault.set('b', '2'))
    expect(kindOf(await openVaultFile(file, passphrase))).toBe('passphrase-wrong')
    const again = must(await openVaultFile(file, 'another passphrase'))
    expect(await again.get('a')).toEqual({ ok: true, value: '1' })
    expect(await again.get('b')).toEqual({ ok: true, value: '2' })
  })

  test.each([
    ['a wrong current one', 'not the passphrase', 'another passphrase', 'passphrase-wrong'],
    ['a short new one', passphrase, 'short', 'invalid-input'],
  ])('changing it is refused with %s, and the vault stays', async (_, current, next, kind) => {
    const vault = await create()
    expect(kindOf(await vault.changePassphrase(current, next))).toBe(kind)
    expect(kindOf(await openVaultFile(file, passphrase))).toBe('ok')
  })
})

describe('damage', () => {
  let sound: string
  beforeAll(async () => {
    const made = mkdtempSync(path.join(tmpdir(), 'vault-'))
    const vault = must(await createVaultFile(path.join(made, 'vault'), passphrase, cheapDerivation()))
    must(await vault.set('a', 'a secret of some length'))
    sound = readFileSync(path.join(made, 'vault'), 'utf8')
    rmSync(made, { recursive: true })
  })
  beforeEach(() => writeFileSync(file, sound))
  test.each<[string, (text: string) => string]>([
    ['empty', () => ''],
    ['another file', () => '{"hello": 1}'],
    ['binary', () => '\0\u0001\ufffd'],
    ['cut short', (text) => text.slice(0, -100)],
    ['without its body', (text) => `${text.split('\n')[0]}\n`],
    ['a body with one character changed', (text) => text.replace(/\n(.)/, (_, c: string) => `\n${c === 'A' ? 'B' : 'A'}`)],
    ['a salt with one character changed', (text) => text.replace(/"salt":"(.)/, (_, c: string) => `"salt":"${c === 'A' ? 'B' : 'A'}`)],
    ['a header with one space more', (text) => text.replace('{', '{ ')],
  ])('a vault that is %s is vault-damaged', async (_, damage) => {
    writeFileSync(file, damage(sound))
    expect(kindOf(await openVaultFile(file, passphrase))).toBe('vault-damaged')
  })

  test('a missing vault is vault-damaged and says so', async () => {
    rmSync(file)
    expect(await openVaultFile(file, passphrase)).toMatchObject({
      ok: false,
      error: { kind: 'vault-damaged', message: expect.stringContaining('missing') },
    })
  })

  test('a vault of a newer version asks for an update', async () => {
    forge((lines()[0] ?? '').replace('"version":1', '"version":2'), lines()[1] ?? '')
    expect(await openVaultFile(file, passphrase)).toMatchObject({
      ok: false,
      error: { kind: 'vault-damaged', message: expect.stringContaining('newer') },
    })
  })

  test('a lost checksum alone does not lose the keys', async () => {
    writeFileSync(file, lines().slice(0, 2).join('\n'))
    expect(await (await reopen()).get('a')).toEqual({ ok: true, value: 'a secret of some length' })
  })

  test('a header changed by someone who knows the format opens nothing', async () => {
    forge((lines()[0] ?? '').replace('"p":1', '"p":2'), lines()[1] ?? '')
    expect(kindOf(await openVaultFile(file, passphrase))).toBe('passphrase-wrong')
    const [first = '', second = ''] = lines()
    forge(first.replace('"p":2', '"p":1').replace('{', '{ '), second)
    expect(kindOf(await openVaultFile(file, passphrase))).toBe('passphrase-wrong')
  })

  test.each([
    ['"N":8192', '"N":1073741824'],
    ['"N":8192', '"N":1000000'],
    ['"N":8192', '"N":2'],
    ['"N":8192', '"N":"8192"'],
    ['"r":8', '"r":4096'],
    ['"p":1', '"p":1000000'],
    ['"p":1', '"p":0'],
    ['"name":"scrypt"', '"name":"plain"'],
  ])('absurd parameters are refused, not obeyed: %s as %s', async (from, to) => {
    const first = lines()[0] ?? ''
    expect(first).toContain(from)
    forge(first.replace(from, to), lines()[1] ?? '')
    expect(kindOf(await openVaultFile(file, passphrase))).toBe('vault-damaged')
  })
})

describe('the disk', () => {
  const isRoot = process.getuid?.() === 0

  /** What a vault says when its folder is gone: the one failure that root meets too. */
  test('a folder that is gone is told, and what was kept is still in memory', async () => {
    const vault: VaultFile = await create()
    must(await vault.set('a', '1'))
    rmSync(folder, { recursive: true })
    expect(await vault.set('b', '2')).toMatchObject({ ok: false, error: { kind: 'folder-read-only' } })
    expect(await vault.get('a')).toEqual({ ok: true, value: '1' })
    expect(await vault.get('b')).toEqual({ ok: true, value: null })
  })

  test.runIf(process.platform !== 'win32' && !isRoot)('a folder that may not be written is told, and the vault stays', async () => {
    const vault = await create()
    must(await vault.set('a', '1'))
    chmodSync(folder, 0o500)
    expect(await vault.set('a', '2')).toMatchObject({ ok: false, error: { kind: 'folder-read-only' } })
    chmodSync(folder, 0o700)
    expect(await (await reopen()).get('a')).toEqual({ ok: true, value: '1' })
  })

  const canMount = process.platform === 'linux' && isRoot && spawnSync('unshare', ['-m', 'true']).status === 0

  if (isRoot || process.platform === 'win32')
    process.stderr.write('\nSKIPPED: the vault in a read-only folder: root and Windows may write there.\n')
  if (!canMount) process.stderr.write('\nSKIPPED: the vault on a full disk: only root on Linux can mount one.\n')

  test.runIf(canMount)('a full disk is told, and the vault on it stays whole', () => {
    const script = path.join(import.meta.dirname, 'fill-disk.child.ts')
    const mount = `mount -t tmpfs -o size=64k tmpfs "$1" && exec "$2" "$3" "$1"`
    const run = spawnSync('unshare', ['-m', 'sh', '-c', mount, 'sh', folder, process.execPath, script], { encoding: 'utf8' })
    expect(run.stderr).toBe('')
    expect(JSON.parse(run.stdout)).toEqual({ full: 'disk-full', created: 'disk-full', kept: '1', left: ['ballast', 'vault'] })
  })
})
