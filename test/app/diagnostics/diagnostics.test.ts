import { afterEach, expect, test } from 'vitest'
import { startService, type StartedService } from '../../support/start-service.ts'
import { connectTo, createStage, valueOf } from '../workspaces/start-app.ts'

const stage = createStage()
const services: StartedService[] = []
afterEach(async () => {
  await stage.clear()
  await Promise.all(services.splice(0).map((service) => service.close()))
})

/** Stands in everything a user can type. */
const sentinel = 'sentinel4711'

test('a report tells versions, counts and checks, and nothing that anybody typed', async () => {
  const service = await startService()
  services.push(service)
  const it = await stage.start()
  valueOf(await it.command('keys.choose', { store: 'vault', passphrase: `${sentinel} passphrase` }))
  const local = valueOf(await it.command('workspaces.start-local', { name: `${sentinel} local` }))
  const remote = await connectTo(it, service)
  for (const { workspaceId } of [local, remote]) {
    const project = valueOf(await it.command('projects.create', { workspaceId, name: `${sentinel} project`, slug: `${sentinel}-p` }))
    const { id: environmentId } = valueOf(
      await it.command('environments.create', {
        workspaceId,
        projectId: project.id,
        name: `${sentinel} environment`,
        slug: `${sentinel}-e`,
      }),
    )
    valueOf(await it.command('app.remember-place', { workspaceId, environmentId }))
    const variable = { workspaceId, environmentId, type: 'string' as const, isSecret: false }
    valueOf(await it.command('variables.create', { ...variable, name: sentinel, value: `${sentinel} value` }))
    valueOf(await it.command('variables.create', { ...variable, name: `${sentinel}_2`, value: `\${${sentinel}}` }))
    await it.until('sync.status', { workspaceId }, (status) => status.state === 'synced')
  }
  // Unsent, with a problem of the network to tell.
  await service.close()
  services.pop()
  valueOf(await it.command('projects.create', { workspaceId: remote.workspaceId, name: `${sentinel} unsent` }))

  // Sync tries again now and then: between two tries the change is queued.
  const { text } = await it.until('diagnostics.report', {}, (report) => report.text.includes('sync: offline'))
  const { recoveryKey } = valueOf(await it.query('keys.recovery', { workspaceId: remote.workspaceId }))
  const hidden = [sentinel, service.apiKey, service.url, new URL(service.url).host, recoveryKey, it.dataDir, 'http://']
  for (const each of hidden) expect(text.toLowerCase()).not.toContain(each.toLowerCase())
  expect(text).toContain('keys: ready, vault')
  expect(text).toContain('workspaces: 2')
  expect(text.match(/rows: environment 1, project [12], variable 2$/gm)).toHaveLength(2)
  expect(text.match(/shown rows equal their rebuild from base and queue: yes/g)).toHaveLength(2)
  expect(text).toMatch(/database: workspaces\/[0-9a-f-]{36}\/mirror\.sqlite, \d+ bytes/)
  expect(text).toContain('unsent changes: queued 1')
  expect(text).toMatch(/sync: offline, problem offline/)
  expect(text).toMatch(/service: http, this computer/)
})

test('a report is made without workspaces, keys or a choice', async () => {
  const it = await stage.start()
  const { text } = valueOf(await it.query('diagnostics.report', {}))
  expect(text).toContain('keys: unchosen, keychain absent')
  expect(text).toContain('workspaces: 0')
})
