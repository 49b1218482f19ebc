import { expect, onTestFinished, test } from 'vitest'
import { listQueue, rowsOfQueue } from '../../../electron/app/queue/describe-change.ts'
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

/** The queue list, read through `watched`. */
const listThrough = ({ session: { mirror } }: OfflineDesk, watched: (tx: Tx) => Tx) =>
  listQueue({ lasting: (work) => mirror.lasting((tx) => work(watched(tx))) })

test('a list of many unsent changes reads the path of an environment once', async () => {
  const desk = openDesk()
  for (const environmentId of await desk.environments('Production', 'Staging')) {
    const text = Array.from({ length: 30 }, (_, n) => `KEY_${n}=${n}\n`).join('')
    await valueOf(desk.handlers['import.apply']({ workspaceId, environmentId, seen: asShown, text }))
  }
  let reads = 0
  const rows = await listThrough(desk, (tx) => ({ ...tx, get: (query) => ((reads += 1), tx.get(query)) }))
  const paths = rows.filter(({ subject }) => subject === 'variable').map(({ where }) => where)
  expect(paths).toHaveLength(60)
  expect([...new Set(paths)]).toEqual([expect.stringMatching(/ \/ Production$/), expect.stringMatching(/ \/ Staging$/)])
  expect(reads).toBeLessThan(20)
})

test('a list of changes with large values reads none of the values, and is the same', async () => {
  const desk = openDesk()
  const [environmentId = ''] = await desk.environments('Production')
  for (let n = 0; n < 20; n += 1) await desk.add(environmentId, `KEY_${n}`, 'x'.repeat(100_000))
  let longest = 0
  const rows = await listThrough(desk, (tx) => ({
    ...tx,
    all: <Row>(query: Parameters<typeof tx.all<Row>>[0]) => {
      const found = tx.all(query)
      longest = Math.max(longest, JSON.stringify(found).length)
      return found
    },
  }))
  expect(longest).toBeGreaterThan(0)
  expect(longest).toBeLessThan(100_000)
  const asSent = desk.session.mirror.snapshot((tx) => {
    const entries = allEntries(tx)
    return entries.map(rowsOfQueue(tx, entries))
  })
  expect(rows).toEqual(asSent)
})
