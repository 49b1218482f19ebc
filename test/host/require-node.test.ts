import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const guard = path.resolve(import.meta.dirname, '../../electron/host/require-node.cjs')

test.each([
  ['18.20.0', 1],
  ['20.18.1', 1],
  ['22.17.9', 1],
  ['22.18.0', 0],
  ['24.21.0', 0],
  ['26.10.0', 0],
])('Node %s ends with %i', (version, status) => {
  const pretend = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } }); require(${JSON.stringify(guard)})`
  const ran = spawnSync(process.execPath, ['-e', pretend], { encoding: 'utf8' })
  expect(ran.status).toBe(status)
  expect(ran.stderr).toBe(
    status === 0
      ? ''
      : `Holdfast needs Node 22.18 or newer, and this is Node ${version}. Install Node 26 from https://nodejs.org, then start again.\n`,
  )
})

test('in a fresh clone the packages come first, whatever Node it is', () => {
  const clone = mkdtempSync(path.join(tmpdir(), 'holdfast-clone-'))
  onTestFinished(() => rmSync(clone, { recursive: true }))
  const guardThere = path.join(clone, 'electron/host/require-node.cjs')
  cpSync(guard, guardThere)
  for (const version of ['20.18.1', '26.10.0']) {
    const pretend = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } }); require(${JSON.stringify(guardThere)})`
    const ran = spawnSync(process.execPath, ['-e', pretend], { encoding: 'utf8' })
    expect([ran.status, ran.stderr]).toEqual([1, expect.stringContaining('npm ci')])
  }
})
