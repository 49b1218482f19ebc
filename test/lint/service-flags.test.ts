import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { serviceFlags } from '../support/service-flags.ts'

test('the image starts the service with the flags of npm run service, and leaves to it where its data are', () => {
  const dockerfile = readFileSync(path.resolve(import.meta.dirname, '../../Dockerfile'), 'utf8')
  const command: unknown = JSON.parse(/^CMD (.*)$/m.exec(dockerfile)?.[1] ?? '[]')
  expect(serviceFlags).not.toEqual([])
  expect(command).toEqual(['node', ...serviceFlags, 'service/main.ts', '--port', '8300', '--host', '0.0.0.0'])
})
