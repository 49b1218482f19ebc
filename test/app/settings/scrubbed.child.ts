import { scrubMemory } from '../../../electron/app/settings/scrub-memory.ts'

/**
 * Run by scrub-memory.test.ts with a word, backwards. Keeps objects for good, with a text that begins with the word after each few of
 * them, and moves all to where long-lived objects lie. At the first line on stdin it forgets the texts and scrubs; it says each that is done.
 */
const word = Buffer.from([...(process.argv[2] ?? '')].toReversed().join(''))
const kept: unknown[] = []
const texts: number[] = []
for (let count = 0; count < 10_000; count += 1) {
  for (let beside = 0; beside < 30; beside += 1) kept.push({ beside, count })
  texts.push(kept.length)
  const bytes = Buffer.alloc(word.length + 5)
  bytes.set(word)
  bytes.write(String(count).padStart(5, '0'), word.length)
  kept.push(bytes.toString('latin1'))
  bytes.fill(0)
}
word.fill(0)
// A scrub moves what lives out of the young generation, too.
scrubMemory()
process.stdout.write('moved\n')
process.stdin.once('data', () => {
  for (const at of texts) kept[at] = null
  scrubMemory()
  process.stdout.write(`${kept.length} kept\n`)
})
