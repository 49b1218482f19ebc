import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openLog } from '../../electron/shell/open-log.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'holdfast-log-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const read = (name: string) => readFileSync(path.join(folder, 'logs', name), 'utf8')

test('lines are durable as soon as they are written, and go on after a restart', () => {
  openLog(folder)('info', 'first', { count: 1 })
  openLog(folder)('warn', 'second')
  const lines = read('holdfast.log')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object)
  expect(lines).toMatchObject([{ msg: 'first', count: 1 }, { msg: 'second' }])
})

test('a long log of earlier runs is kept once', () => {
  openLog(folder)('info', 'old')
  writeFileSync(path.join(folder, 'logs/holdfast.log'), 'x'.repeat(3 * 1024 * 1024))
  openLog(folder)('info', 'new')
  expect(read('holdfast.old.log')).toHaveLength(3 * 1024 * 1024)
  expect(read('holdfast.log').split('\n')).toHaveLength(2)
})

test('a folder that cannot be written is no failure', () => {
  writeFileSync(path.join(folder, 'file'), '')
  expect(() => openLog(path.join(folder, 'file'))('info', 'to stderr')).not.toThrow()
})

// A device that has no room for anything; other systems have none like it.
test.runIf(process.platform === 'linux')('a full disk is no failure of the call that logs', () => {
  mkdirSync(path.join(folder, 'logs'))
  symlinkSync('/dev/full', path.join(folder, 'logs/holdfast.log'))
  const log = openLog(folder)
  for (const message of ['one', 'two']) expect(() => log('info', message)).not.toThrow()
})
