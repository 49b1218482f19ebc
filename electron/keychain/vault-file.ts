import { readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { err, ok } from '../bridge/result.ts'
import type { Result } from '../bridge/result.ts'
import { checkPassphrase } from './check-passphrase.ts'
import type { BadPassphrase } from './check-passphrase.ts'
import type { KeyStore, KeyStoreError } from './key-store.ts'
import { replaceKeepingOld } from './replace-keeping-old.ts'
import { deriveVaultKey, newDerivation, openVault, sealVault } from './vault-format.ts'
import type { Derivation, OpenedVault, VaultRefusal } from './vault-format.ts'
import { writeDurably } from './write-durably.ts'

/** An opened file of keys under a passphrase. The keys are in memory until `close`. */
export interface VaultFile extends KeyStore {
  readonly kind: 'vault'
  /** Seals the file under a new passphrase. `current` must be the old one; `next` must pass `checkPassphrase`. */
  changePassphrase(current: string, next: string): Promise<Result<null, KeyStoreError | BadPassphrase>>
}

/**
 * Creates an empty vault at `file` and opens it. An existing vault may have the only copy of keys: once the new one is on the disk, it is
 * renamed to `<file>.old`, `.old-2` and so on. The folder must exist. Only tests that open many vaults pass a
 * `derivation`; the default is a fresh one of full cost.
 */
export async function createVaultFile(
  file: string,
  passphrase: string,
  derivation: Derivation = newDerivation(),
): Promise<Result<VaultFile, KeyStoreError | BadPassphrase>> {
  const checked = checkPassphrase(passphrase)
  if (!checked.ok) return checked
  const opened = { key: await deriveVaultKey(passphrase, derivation), derivation, entries: new Map<string, string>() }
  const fresh = `${file}.fresh`
  const written = await trying(file, async () => {
    await writeSealed(fresh, opened)
    await replaceKeepingOld(file, fresh)
  })
  if (written.ok) return ok(vaultOver(file, opened))
  opened.key.fill(0)
  await rm(fresh, { force: true }).catch(() => {})
  return written
}

/**
 * Opens the vault at `file`. A wrong passphrase is `passphrase-wrong`; a file that is missing,
 * changed, cut short or of a later version is `vault-damaged`, with a sentence that says which.
 */
export async function openVaultFile(file: string, passphrase: string): Promise<Result<VaultFile, KeyStoreError>> {
  const opened = await read(file, passphrase)
  return opened.ok ? ok(vaultOver(file, opened.value)) : opened
}

function vaultOver(file: string, opened: OpenedVault): VaultFile {
  let state: OpenedVault | null = opened
  let last: Promise<unknown> = Promise.resolve()

  /** Changes run one after the other: each reads the file that the last change wrote. */
  function inTurn<T, E>(change: (state: OpenedVault) => Promise<Result<T, E>>): Promise<Result<T, E | KeyStoreError>> {
    const turn = last.then(async (): Promise<Result<T, E | KeyStoreError>> => (state === null ? err(closed) : change(state)))
    last = turn.catch(() => {})
    return turn
  }

  const replace = (next: (entries: Map<string, string>) => void) =>
    inTurn(async (before) => {
      const entries = new Map(before.entries)
      next(entries)
      const written = await save(file, { ...before, entries })
      // If the vault was closed meanwhile, the change is written, but the keys are not kept in memory.
      if (written.ok && state !== null) state = { ...before, entries }
      return written
    })

  return {
    kind: 'vault',
    get: async (name) => (state === null ? err(closed) : ok(state.entries.get(name) ?? null)),
    set: (name, secret) => replace((entries) => entries.set(name, secret)),
    delete: (name) => replace((entries) => entries.delete(name)),
    changePassphrase: (current, next) =>
      inTurn<null, KeyStoreError | BadPassphrase>(async (before) => {
        const checked = checkPassphrase(next)
        if (!checked.ok) return checked
        const given = await deriveVaultKey(current, before.derivation)
        const isRight = given.equals(before.key)
        given.fill(0)
        if (!isRight) return err(refusals['passphrase-wrong'])
        const derivation = newDerivation()
        const after = { key: await deriveVaultKey(next, derivation), derivation, entries: before.entries }
        const written = await save(file, after)
        if (written.ok) await deleteOldCopies(file, current, before.entries)
        if (!written.ok) after.key.fill(0)
        else if (state !== null) {
          before.key.fill(0)
          state = after
        }
        return written
      }),
    close: () => {
      state?.key.fill(0)
      state = null
    },
  }
}

/**
 * Deletes each renamed vault at `file` that `passphrase` opens and whose entries are all in `entries`, because it would still open with that
 * former passphrase. Any other one is kept: it may have the only copy of a key.
 */
async function deleteOldCopies(file: string, passphrase: string, entries: ReadonlyMap<string, string>): Promise<void> {
  const folder = path.dirname(file)
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((each) => each.startsWith(`${path.basename(file)}.old`))) {
    const old = await read(path.join(folder, name), passphrase)
    if (!old.ok) continue
    old.value.key.fill(0)
    const isCopy = [...old.value.entries].every(([key, secret]) => entries.get(key) === secret)
    if (isCopy) await rm(path.join(folder, name), { force: true }).catch(() => {})
  }
}

const closed: KeyStoreError = { kind: 'keychain-locked', message: 'The vault is locked. Unlock it with its passphrase and try again.' }

/** The largest file to read. No vault is so large: a few hundred keys take some kilobytes. */
const largestVault = 16 * 1024 * 1024

async function read(file: string, passphrase: string): Promise<Result<OpenedVault, KeyStoreError>> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    const missing = codeOf(error) === 'ENOENT'
    const message = missing
      ? `The vault file ${file} is missing. Put it back and try again, or create a new vault and enter your keys again.`
      : `The vault file couldn’t be read (${codeOf(error)}). Check its permissions and the disk, and try again.`
    return err({ kind: 'vault-damaged', message })
  }
  const opened = text.length > largestVault ? 'damaged' : await openVault(text, passphrase)
  return typeof opened === 'string' ? err(refusals[opened]) : ok(opened)
}

const refusals: Record<VaultRefusal, KeyStoreError> = {
  'passphrase-wrong': { kind: 'passphrase-wrong', message: 'Wrong passphrase. Try again.' },
  damaged: {
    kind: 'vault-damaged',
    message: 'The vault file is damaged. Restore it from a backup, or create a new vault and enter your keys again.',
  },
  newer: { kind: 'vault-damaged', message: 'The vault file was created by a newer version of Holdfast. Update Holdfast and try again.' },
}

const writeSealed = (file: string, { key, derivation, entries }: OpenedVault): Promise<void> =>
  writeDurably(file, sealVault(key, derivation, entries))

const save = (file: string, vault: OpenedVault): Promise<Result<null, KeyStoreError>> => trying(file, () => writeSealed(file, vault))

/** `file`: the vault that `write` changes. */
async function trying(file: string, write: () => Promise<void>): Promise<Result<null, KeyStoreError>> {
  try {
    await write()
    return ok(null)
  } catch (error) {
    return err(writeFailure(error))
  }
}

function writeFailure(error: unknown): KeyStoreError {
  const code = codeOf(error)
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return { kind: 'disk-full', message: 'The disk is full, so the vault wasn’t changed. Free some space and try again.' }
  }
  return {
    kind: 'folder-read-only',
    message: `The vault couldn’t be written (${code}). Check the permissions of its folder and try again.`,
  }
}

/** Returns Node's error code. Any other error is a bug, and is thrown again. */
function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  throw error
}
