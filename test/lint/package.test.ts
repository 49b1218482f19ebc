import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const script = path.resolve(import.meta.dirname, '../../.ci/package')

test.skipIf(process.platform === 'win32').each([
  { what: 'a secret that is missing is no certificate', link: '', passed: 'no certificate' },
  { what: 'a certificate is passed on', link: 'MIIK', passed: 'MIIK' },
])('at a release, $what', ({ link, passed }) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-package-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(path.join(folder, 'npm'), '#!/bin/sh\necho "$*: ${CSC_LINK-no certificate}"\n', { mode: 0o755 })
  const env = { PATH: `${folder}:${process.env.PATH}`, CSC_LINK: link }
  expect(execFileSync('bash', [script], { env, encoding: 'utf8' })).toBe(`run package: ${passed}\n`)
})
