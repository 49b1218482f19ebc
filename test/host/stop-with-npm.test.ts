import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'

const root = path.resolve(import.meta.dirname, '../..')
const file = './electron/host/stop-with-npm.cjs'
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')))

test.each(['start', 'host', 'service'])('npm run %s stops with npm', (script) => {
  expect(scripts[script]).toContain(` -r ${file} `)
})

const program = `process.on('SIGTERM', () => { console.log('told to stop'); process.exit() }); setInterval(() => {}, 60000); console.log('runs')`

test.runIf(process.platform !== 'win32')('a program whose shell npm has ended is told to stop', async () => {
  const shell = spawn('sh', ['-c', `"$1" -r "$2" -e "$3"; :`, 'sh', process.execPath, file, program], {
    cwd: root,
    env: { ...process.env, npm_lifecycle_event: 'service' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  shell.stdout.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')))
  await once(shell.stdout, 'data')
  shell.kill('SIGTERM')
  await once(shell.stdout, 'close')
  expect(output).toBe('runs\ntold to stop\n')
})
