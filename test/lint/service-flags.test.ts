import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { serviceFlags } from '../support/service-flags.ts'

test('the image starts the service with the flags of npm run service', () => {
  const dockerfile = readFileSync(path.resolve(import.meta.dirname, '../../Dockerfile'), 'utf8')
  const started = [...dockerfile.matchAll(/exec node (.*?) service\/main\.ts/g)].map(([, flags]) => flags)
  expect(serviceFlags).not.toEqual([])
  expect(started).toEqual([serviceFlags.join(' '), serviceFlags.join(' ')])
})
