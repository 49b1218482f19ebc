import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build } from 'vite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import config from '../../electron.vite.config.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'holdfast-preload-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('the preload script is one CommonJS file that requires electron alone: all that a sandbox allows', async () => {
  const { rolldownOptions } = (config as unknown as (env: { mode: string }) => { preload: { build: { rolldownOptions: object } } })({
    mode: 'shipped',
  }).preload.build
  await build({
    configFile: false,
    logLevel: 'silent',
    build: { outDir: folder, ssr: true, minify: false, rolldownOptions: { ...rolldownOptions, external: ['electron'] } },
  })
  expect(readdirSync(folder)).toEqual(['index.cjs'])
  const source = readFileSync(path.join(folder, 'index.cjs'), 'utf8')
  expect([...source.matchAll(/require\(([^)]*)\)/g)].map((match) => match[1])).toEqual(['"electron"'])
  expect(source).not.toMatch(/\bimport\b/)
  execFileSync(process.execPath, ['--check', path.join(folder, 'index.cjs')])
})
