import { createHash } from 'node:crypto'
import { appendFileSync, copyFileSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const [own = ''] = globSync('node_modules/@napi-rs/keyring-*/*.node', { cwd: root })

let folder: string
const load = process.dlopen
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'holdfast-native-'))
  const hash = createHash('sha256')
    .update(readFileSync(path.join(root, own)))
    .digest('hex')
  vi.stubGlobal('HOLDFAST_NATIVE_MODULES', { [own]: hash, 'node_modules/of/another-system.node': hash })
  vi.resetModules()
})
afterEach(() => {
  process.dlopen = load
  vi.unstubAllGlobals()
  rmSync(folder, { recursive: true, force: true })
})

const loadFile = (file: string) => process.dlopen({ exports: {} }, file)

test('a thread loads the native modules of the build, and no other file, whatever it is called', async () => {
  await import('../../electron/main/check-native-modules.ts')
  const [same, other] = [path.join(folder, 'same.node'), path.join(folder, path.basename(own))]
  copyFileSync(path.join(root, own), same)
  copyFileSync(path.join(root, own), other)
  appendFileSync(other, 'x')
  expect(() => loadFile(same)).not.toThrow()
  expect(() => loadFile(other)).toThrow(`${path.basename(own)} is not a part of Holdfast and was not loaded.`)
})

test('a start names the native module that was changed, and passes over those of other systems', async () => {
  const { alteredModule } = await import('../../electron/main/check-native-modules.ts')
  expect(alteredModule(root)).toBeNull()
  vi.stubGlobal('HOLDFAST_NATIVE_MODULES', { [own]: '0'.repeat(64) })
  vi.resetModules()
  process.dlopen = load
  const changed = await import('../../electron/main/check-native-modules.ts')
  expect(changed.alteredModule(root)).toBe(path.basename(own))
})
