import { createKeyStores } from '../../../electron/app/keys/create-key-stores.ts'
import { createStage, valueOf } from './start-app.ts'

/**
 * Run by real-keychain.test.ts inside a D-Bus session of its own, with a data folder: starts the application on the real
 * keychain, makes a local workspace where there is none, and prints what came of it. Ends by itself when everything is closed.
 */
const dataDir = process.argv[2] ?? ''
const it = await createStage().start({ dataDir, stores: createKeyStores(dataDir) })
const before = valueOf(await it.query('app.status', {})).keys
const made = valueOf(await it.query('workspaces.list', {})).length === 0 ? await it.command('workspaces.start-local', {}) : null
const [row] = valueOf(await it.query('workspaces.list', {}))
const workspaceId = row?.id ?? ''
if (row !== undefined) await it.until('sync.status', { workspaceId }, (status) => status.state === 'synced')
const recovery = await it.query('keys.recovery', { workspaceId })
const after = valueOf(await it.query('app.status', {})).keys
await it.app.close()
process.stdout.write(`\n${JSON.stringify({ before, made, needs: row?.needs, recovery, after })}`)
