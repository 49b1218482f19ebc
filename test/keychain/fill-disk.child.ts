import { closeSync, openSync, readdirSync, writeSync } from 'node:fs'
import path from 'node:path'
import type { Result } from '../../electron/bridge/result.ts'
import { createVaultFile, openVaultFile } from '../../electron/keychain/vault-file.ts'

/** Run by vault-file.test.ts on a disk of 64 KiB: writes until it is full and prints what came of it. */
const folder = process.argv[2] ?? ''
const file = path.join(folder, 'vault')
const kindOf = (result: Result<unknown, { kind: string }>): string => (result.ok ? 'ok' : result.error.kind)
const passphrase = 'correct horse battery'
const vault = await createVaultFile(file, passphrase)
if (!vault.ok) throw new Error(vault.error.message)
await vault.value.set('a', '1')
const full = await vault.value.set('b', 'x'.repeat(100_000))
const ballast = openSync(path.join(folder, 'ballast'), 'w')
try {
  for (;;) writeSync(ballast, 'x'.repeat(4096))
} catch {
  closeSync(ballast)
}
const created = await createVaultFile(file, passphrase)
const again = await openVaultFile(file, passphrase)
const kept = again.ok ? await again.value.get('a') : again
process.stdout.write(
  JSON.stringify({
    full: kindOf(full),
    created: kindOf(created),
    kept: kept.ok ? kept.value : kept.error.kind,
    left: readdirSync(folder).sort(),
  }),
)
