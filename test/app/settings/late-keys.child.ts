import { mock } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { scrubAfterLocks } from '../../../electron/app/settings/scrub-memory.ts'
import type { KeysStatus } from '../../../electron/bridge/rows.ts'

/**
 * Run by scrub-memory.test.ts with a word, backwards. Locks, waits until no scrub is planned, and lets a keychain give many keys that begin
 * with the word. At the first line on stdin it lets time pass, and says that it did.
 */
mock.timers.enable({ apis: ['setTimeout'] })
const longAfter = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await nextTurn()
  mock.timers.tick(60_000)
}
const keychain = Promise.withResolvers<void>()
let status: KeysStatus = { state: 'ready', store: 'os', unlock: 'pin', hasPin: true }
let changed = (): void => {}
scrubAfterLocks({ status: async () => status, onChange: (listener) => ((changed = listener), () => undefined) }, () => keychain.promise)
await longAfter()
status = { state: 'locked', store: 'os', keychain: 'available', by: 'user', unlock: 'pin' }
changed()
await longAfter()

const word = Buffer.from([...(process.argv[2] ?? '')].toReversed().join(''))
const texts: string[] = []
for (let count = 0; count < 10_000; count += 1) {
  const bytes = Buffer.alloc(word.length + 5)
  bytes.set(word)
  bytes.write(String(count).padStart(5, '0'), word.length)
  texts.push(bytes.toString('latin1'))
  bytes.fill(0)
}
word.fill(0)
keychain.resolve()
process.stdout.write('answered\n')
process.stdin.once('data', async () => {
  texts.length = 0
  await longAfter()
  process.stdout.write('scrubbed\n')
})
