import { createStage, valueOf } from './start-app.ts'

/**
 * Run by killed.test.ts with a data folder, a passphrase and the point at which this process kills itself: while the embedded
 * service is being started, or when the workspace is there and has an edit that was never sent.
 */
const [dataDir = '', passphrase = '', point = ''] = process.argv.slice(2)
const die = (): never => process.kill(process.pid, 'SIGKILL') as never
const deps = point === 'starting' ? { startService: async () => die() } : {}
const it = await createStage().start({ dataDir, deps })
valueOf(await it.command('keys.choose', { store: 'vault', passphrase }))
const { workspaceId } = valueOf(await it.command('workspaces.start-local', {}))
valueOf(await it.command('projects.create', { workspaceId, name: 'Made just before' }))
die()
