import { expect, onTestFinished, test } from 'vitest'
import { listQueue, rowsOfQueue } from '../../../electron/app/queue/describe-change.ts'
import { listUnsent } from '../../../electron/app/queue/list-unsent.ts'
import type { Mirror } from '../../../electron/mirror/mirror.ts'
import { allEntries } from '../../../electron/mirror/queue-layer.ts'
import type { Tx } from '../../../electron/mirror/tx.ts'
import { asShown } from '../../support/as-shown.ts'
import { valueOf } from '../../support/value-of.ts'
import { createOfflineDesk, workspaceId, type OfflineDesk } from '../imports/offline-desk.ts'

function openDesk(): OfflineDesk {
  const desk = createOfflineDesk()
  onTestFinished(desk.close)
  return desk
}

/** The mirror of a desk, read through `watched`. */
const through = ({ session: { mirror } }: OfflineDesk, watched: (tx: Tx) => Tx): Pick<Mirror, 'lasting'> => ({
  lasting: (work) => mirror.lasting((tx) => work(watched(tx))),
})

/** The environments of the changes of variables, as the list shows them and as the file of unsent changes names them. */
const listed = async (mirror: Pick<Mirror, 'lasting'>) =>
  (await listQueue(mirror)).filter(({ subject }) => subject === 'variable').map(({ where }) => where)
const filed = async (mirror: Pick<Mirror, 'lasting'>) =>
  (await listUnsent(mirror, {})).edits.flatMap(({ environment }) => environment?.name ?? [])

test.each([
  ['list', listed],
  ['file', filed],
])('a %s of many unsent changes reads the path of an environment once', async (_what, namesOf) => {
  const desk = openDesk()
  for (const environmentId of await desk.environments('Production', 'Staging')) {
    const text = Array.from({ length: 30 }, (_, n) => `KEY_${n}=${n}\n`).join('')
    await valueOf(desk.handlers['import.apply']({ workspaceId, environmentId, seen: asShown, text }))
  }
  let reads = 0
  const names = await namesOf(through(desk, (tx) => ({ ...tx, get: (query) => ((reads += 1), tx.get(query)) })))
  expect(names).toHaveLength(60)
  expect([...new Set(names)]).toEqual([expect.stringMatching(/Production$/), expect.stringMatching(/Staging$/)])
  expect(reads).toBeLessThan(20)
})

test('a list of changes with large values reads none of the values, and is the same', async () => {
  const desk = openDesk()
  const [environmentId = ''] = await desk.environments('Production')
  for (let n = 0; n < 20; n += 1) await desk.add(environmentId, `KEY_${n}`, 'x'.repeat(100_000))
  let longest = 0
  const watched = through(desk, (tx) => ({
    ...tx,
    each: function* <Row>(query: Parameters<typeof tx.each<Row>>[0]) {
      for (const row of tx.each(query)) {
        longest = Math.max(longest, JSON.stringify(row).length)
        yield row
      }
    },
  }))
  const rows = await listQueue(watched)
  expect(longest).toBeGreaterThan(0)
  expect(longest).toBeLessThan(100_000)
  const asSent = desk.session.mirror.snapshot((tx) => {
    const entries = allEntries(tx)
    return entries.map(rowsOfQueue(tx, entries))
  })
  expect(rows).toEqual(asSent)
})
