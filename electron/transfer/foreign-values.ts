import type { ReadEntry, ReadText } from './read-text.ts'

/** Programs that encrypt a whole file, by how it begins, and the command that decrypts it. */
const wholeFiles: readonly (readonly [start: string, program: string, command: string])[] = [
  ['$ANSIBLE_VAULT;', 'Ansible Vault', 'ansible-vault view FILE'],
  ['-----BEGIN AGE ENCRYPTED FILE-----', 'age', 'age --decrypt FILE'],
  ['-----BEGIN PGP MESSAGE-----', 'PGP', 'gpg --decrypt FILE'],
]

/** Returns one sentence that says how to decrypt a text which is encrypted, as a whole or value by value; null: it isn't. */
export function encryptionProblem(text: string, entries: readonly ReadEntry[]): string | null {
  // A byte order mark counts as space.
  const start = text.trimStart()
  const [, program, command] = wholeFiles.find(([begin]) => start.startsWith(begin)) ?? []
  if (program !== undefined && command !== undefined) return decryptFirst(program, command)
  const has = (name: RegExp, value: string) =>
    entries.some((entry) => name.test(entry.name)) && entries.some((entry) => entry.value.startsWith(value))
  if (has(/^sops__?mac$/, 'ENC[')) return decryptFirst('SOPS', 'sops decrypt FILE')
  if (has(/^DOTENV_PUBLIC_KEY/, 'encrypted:')) return decryptFirst('dotenvx', 'dotenvx decrypt --stdout')
  return null
}

const decryptFirst = (program: string, command: string): string =>
  `This is encrypted with ${program}. Import what “${command}” prints instead.`

const reference = /^op:\/\/[^/\s]+\/[^/\s]+\/\S/

/** Adds a note to each value that is a reference to 1Password. */
export const withReferenceNotes = ({ entries, invalid }: ReadText): ReadText => ({
  entries: entries.map((entry) => (reference.test(entry.value) ? { ...entry, note: entry.note ?? referenceNote } : entry)),
  invalid,
})

const referenceNote = '1Password keeps the value itself. “op inject” puts it in.'
