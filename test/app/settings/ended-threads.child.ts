import { Worker } from 'node:worker_threads'
import { scrubMemory } from '../../../electron/app/settings/scrub-memory.ts'
import { overwriteFreedMemory } from '../../../electron/host/overwrite-freed-memory.ts'

/**
 * Run by scrub-memory.test.ts with a word, backwards. Starts threads that make texts of the word, and says when they have ended. At the
 * first line on stdin it scrubs, and says so.
 */
overwriteFreedMemory()
const source = `
  const word = [...require('node:worker_threads').workerData].toReversed().join('')
  for (let round = 0; round < 4; round += 1) {
    const texts = []
    for (let count = 0; count < 20_000; count += 1) texts.push((word + '-'.repeat(count % 900)).toUpperCase().toLowerCase())
  }`
for (let count = 0; count < 3; count += 1) {
  const worker = new Worker(source, { eval: true, workerData: process.argv[2], execArgv: [] })
  await new Promise((ended) => worker.once('exit', ended))
}
process.stdout.write('ended\n')
process.stdin.once('data', () => {
  scrubMemory()
  process.stdout.write('scrubbed\n')
})
