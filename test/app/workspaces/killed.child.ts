import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createStage, valueOf } from './start-app.ts'

/**
 * Run by killed.test.ts with a data folder, a passphrase and the point at which this process dies: while a local workspace is being
 * made, when it has an edit that was never sent, when its service has the edit, or, killed from outside, while it goes on editing and
 * says each edit that was answered.
 */
const [dataDir = '', passphrase = '', point = ''] = process.argv.slice(2)
const die = (): never => process.kill(process.pid, 'SIGKILL') as never

const isBeingMade = (): boolean => {
  const folder = join(dataDir, 'workspaces')
  return existsSync(folder) && readdirSync(folder).some((id) => existsSync(join(folder, id, 'begun')))
}
const now = () => (isBeingMade() ? die() : Date.now())

const it = await createStage().start({ dataDir, deps: point === 'starting' ? { now } : {} })
const [before] = valueOf(await it.query('workspaces.list', {}))
if (before === undefined) valueOf(await it.command('keys.choose', { store: 'vault', passphrase }))
else valueOf(await it.command('keys.unlock', { passphrase }))
const workspaceId = before?.id ?? valueOf(await it.command('workspaces.start-local', {})).workspaceId
const addProject = async (name: string) => valueOf(await it.command('projects.create', { workspaceId, name }))

if (point === 'editing') {
  for (let count = 0; ; count++) {
    const name = `${process.pid} ${count}`
    await addProject(name)
    process.stdout.write(`${name}\n`)
  }
}
await addProject('Made just before')
if (point === 'synced') await it.until('sync.status', { workspaceId }, (status) => status.state === 'synced' && status.queued === 0)
die()
