import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ensureBuilt, isStale } from '../../electron/host/ensure-built.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'holdfast-built-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Writes files with these ages in seconds; folders become as old as the oldest. */
function plant(ages: Record<string, number>): void {
  const now = Date.now() / 1000
  for (const file of Object.keys(ages)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    writeFileSync(path.join(folder, file), '')
  }
  for (const file of Object.keys(ages)) {
    for (let at = path.dirname(path.join(folder, file)); at.startsWith(folder); at = path.dirname(at))
      utimesSync(at, now - 1000, now - 1000)
  }
  for (const [file, age] of Object.entries(ages)) utimesSync(path.join(folder, file), now - age, now - age)
}

const at = (...paths: string[]) => paths.map((file) => path.join(folder, file))

test.each([
  ['built after all sources', { 'src/a.ts': 50, 'src/deep/b.ts': 40, 'out/x': 10 }, false],
  ['a source changed since', { 'src/a.ts': 50, 'src/deep/b.ts': 5, 'out/x': 10 }, true],
  ['never built', { 'src/a.ts': 50 }, true],
] as [string, Record<string, number>, boolean][])('%s: stale is %s', (_name, ages, stale) => {
  plant(ages)
  expect(isStale(at('src'), at('out/x'))).toBe(stale)
})

test('one of two built files missing, or a source deleted since, is stale too', () => {
  plant({ 'src/a.ts': 50, 'src/b.ts': 50, 'out/x': 10 })
  expect(isStale(at('src'), at('out/x', 'out/y'))).toBe(true)
  expect(isStale(at('src', 'none'), at('out/x'))).toBe(false)
  rmSync(path.join(folder, 'src/b.ts'))
  expect(isStale(at('src'), at('out/x'))).toBe(true)
})

test('without sources there is nothing to build', async () => {
  expect(await ensureBuilt(folder)).toEqual({ ok: true, value: null })
})

test('without the builder the error says what to do', async () => {
  plant({ 'src/index.html': 50 })
  expect(await ensureBuilt(folder)).toEqual({ ok: false, error: expect.stringContaining('npm install') })
})

test('a folder in which nothing can be built for a sign in its name is named', async () => {
  const root = path.join(folder, 'c#')
  plant({ 'c#/src/index.html': 50, 'c#/node_modules/electron-vite/bin/electron-vite.js': 50 })
  expect(await ensureBuilt(root)).toEqual({ ok: false, error: expect.stringContaining(root) })
  expect(existsSync(path.join(root, 'out'))).toBe(false)
})
