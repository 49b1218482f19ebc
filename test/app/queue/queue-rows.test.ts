import { expect, onTestFinished, test } from 'vitest'
import { toQueueRows } from '../../../electron/app/queue/describe-change.ts'
import { asShown } from '../../support/as-shown.ts'
import { valueOf } from '../../support/value-of.ts'
import { createOfflineDesk, workspaceId } from '../imports/offline-desk.ts'

test('a list of many unsent changes reads the path of an environment once', async () => {
  const desk = createOfflineDesk()
  onTestFinished(desk.close)
  for (const environmentId of await desk.environments('Production', 'Staging')) {
    const text = Array.from({ length: 30 }, (_, n) => `KEY_${n}=${n}\n`).join('')
    await valueOf(desk.handlers['import.apply']({ workspaceId, environmentId, seen: asShown, text }))
  }
  let reads = 0
  const rows = desk.session.mirror.snapshot((tx) => toQueueRows({ ...tx, get: (query) => ((reads += 1), tx.get(query)) }))
  const paths = rows.filter(({ subject }) => subject === 'variable').map(({ where }) => where)
  expect(paths).toHaveLength(60)
  expect([...new Set(paths)]).toEqual([expect.stringMatching(/ \/ Production$/), expect.stringMatching(/ \/ Staging$/)])
  expect(reads).toBeLessThan(20)
})
