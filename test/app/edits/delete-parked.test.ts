import { afterEach, expect, test } from 'vitest'
import { advance, getEntry } from '../../../electron/mirror/queue-layer.ts'
import { queueHandlers } from '../../../electron/app/queue/queue-handlers.ts'
import { checkWorking } from '../../../electron/mirror/working-layer.ts'
import { createOfflineDesk, workspaceId, type OfflineDesk } from '../imports/offline-desk.ts'
import { asShown } from '../../support/as-shown.ts'
import { valueOf } from '../../support/value-of.ts'

const desks: OfflineDesk[] = []
afterEach(() => {
  for (const desk of desks.splice(0)) desk.close()
})

test.each(['projects', 'environments'] as const)(
  'deleting one of the %s whose creation the service refused takes what was to be made in it along',
  async (kind) => {
    const desk = createOfflineDesk()
    desks.push(desk)
    const queue = queueHandlers(desk.context)
    const [environmentId = ''] = await desk.environments('Prod')
    await desk.add(environmentId, 'A', '1')
    await desk.add(environmentId, 'B', '2')
    const rows = await valueOf(queue['queue.list']({ workspaceId }))
    const refused = rows.find((row) => row.subject === (kind === 'projects' ? 'project' : 'environment'))
    desk.session.mirror.write((tx) => {
      const change = getEntry(tx, refused?.changeId ?? '')
      const sent = change && advance(tx, change, { is: 'send' })
      if (sent !== null) advance(tx, sent, { is: 'reject', reason: 'Not like this.' })
    })
    const [project] = await valueOf(desk.handlers['projects.list']({ workspaceId }))
    const id = kind === 'projects' ? (project?.id ?? '') : environmentId
    await valueOf(desk.handlers[`${kind}.delete`]({ seen: asShown, workspaceId, id }))
    const left = await valueOf(queue['queue.list']({ workspaceId }))
    expect(left.map((row) => row.subject)).toEqual(kind === 'projects' ? [] : ['project'])
    expect(desk.session.mirror.snapshot(checkWorking)).toEqual([])
    // It comes back whole.
    await valueOf(desk.handlers['undo.undo']({ workspaceId }))
    const [environment] = await valueOf(desk.handlers['environments.list']({ workspaceId }))
    expect(await desk.read(environment?.id ?? '')).toEqual({ A: '1', B: '2' })
  },
)
