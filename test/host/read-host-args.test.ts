import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { readHostArgs } from '../../electron/host/read-host-args.ts'

const plain = { port: 0, dataDir: null, open: true, noSandbox: false }

test.each([
  [[], plain],
  [['--port', '8080', '--data-dir', 'here', '--no-open'], { ...plain, port: 8080, dataDir: 'here', open: false }],
  [['--port=65535', '--data-dir=a b'], { ...plain, port: 65_535, dataDir: 'a b' }],
  [['--no-sandbox'], { ...plain, noSandbox: true }],
] as [string[], object][])('%j are read', (args, value) => {
  expect(readHostArgs(args)).toEqual({ ok: true, value })
})

test.each([[['--data-dir', '']], [['--data-dir=']]])('%j are refused, and do not open the data of this user', (args) => {
  expect(readHostArgs(args)).toEqual({ ok: false, error: { sentence: 'The folder after --data-dir is missing.', isAsked: false } })
})

test('--help says what is taken', () => {
  expect(readHostArgs(['--help'])).toEqual({
    ok: false,
    error: { sentence: expect.stringMatching(/^Holdfast takes --port N/) as unknown, isAsked: true },
  })
})

test.each([[['--port', '65536']], [['--port', '-1']], [['--port', '1e3']], [['--port', '']], [['--port']], [['--wrong']], [['here']]])(
  '%j are refused with a sentence that says what is taken',
  (args) => {
    const read = readHostArgs(args)
    expect(read.ok).toBe(false)
    expect(read).toHaveProperty('error.sentence', expect.stringMatching(/port/))
  },
)

describe.each(['main.ts', 'start.ts'])('%s', (file) => {
  const call = (...args: string[]) => {
    const root = path.resolve(import.meta.dirname, '../..')
    const { status, stdout, stderr } = spawnSync(process.execPath, [`electron/host/${file}`, ...args], { cwd: root, encoding: 'utf8' })
    return { status, stdout, stderr }
  }

  test('prints the usage where --help asks for it, and ends as a success', () => {
    expect(call('--help')).toEqual({ status: 0, stdout: expect.stringMatching(/^Holdfast takes --port N/) as string, stderr: '' })
  })

  test('fails as the service does where an option is wrong', () => {
    expect(call('--port', 'x')).toEqual({ status: 1, stdout: '', stderr: expect.stringMatching(/^The port must be a number/) as string })
  })
})
