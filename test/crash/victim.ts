import { setTimeout as sleep } from 'node:timers/promises'
import { createVariable, updateVariable } from '../../electron/app/variables/edit-variable.ts'
import { createParent } from '../../electron/app/edits/edit-parents.ts'
import { createWorkspaceCipher } from '../../electron/cipher/workspace-cipher.ts'
import { openMirror } from '../../electron/mirror/open-mirror.ts'
import { findWorking, workingChildren } from '../../electron/mirror/working-layer.ts'
import { createRemote } from '../../electron/remote/create-remote.ts'
import { v7 as uuid } from 'uuid'
import { connectService } from '../../electron/sync/adapters/connect-service.ts'
import { createEngine } from '../../electron/sync/engine/create-engine.ts'
import { asShown } from '../support/as-shown.ts'

/**
 * The process that is killed: edits as fast as it can, syncs all the while, and says each value on stdout once its edit has returned.
 * Arguments: database file, base URL, API key, workspace id, workspace key in hex, and a text that makes its values its own.
 */

const [file = '', baseUrl = '', apiKey = '', remoteWorkspaceId = '', key = '', run = ''] = process.argv.slice(2)
const opened = openMirror(file)
if (!opened.ok) throw new Error(opened.error.message)
const mirror = opened.value
const cipher = createWorkspaceCipher(Buffer.from(key, 'hex'))
const newId = () => uuid()
const context = () => ({ now: Date.now(), newId })
const engine = createEngine({
  mirror,
  port: connectService({ remote: createRemote({ baseUrl, apiKey: () => apiKey, fetch }), cipher, kept: null }),
  remoteWorkspaceId,
  now: Date.now,
  random: Math.random,
  newId,
  log: () => undefined,
  onChange: () => undefined,
})
engine.start()

const environmentId = mirror.write((tx) => {
  const project = findWorking(tx, 'project', null, 'shop')?.id ?? place(createParent(tx, context(), 'project', null, { name: 'Shop' }))
  return findWorking(tx, 'environment', project, 'prod')?.id ?? place(createParent(tx, context(), 'environment', project, { name: 'Prod' }))
})

function place(made: ReturnType<typeof createParent>): string {
  if (!made.ok) throw new Error(made.error.message)
  return made.value.id
}

for (let n = 1; ; n += 1) {
  const value = `${run}-${n}`
  mirror.write((tx) => {
    const rows = workingChildren(tx, 'variable', environmentId)
    const row = rows[n % 40]
    const done =
      rows.length < 40 || row === undefined
        ? createVariable(tx, context(), cipher, { environmentId, name: `V_${value}`, value, type: 'string', isSecret: false })
        : updateVariable(tx, context(), cipher, { id: row.id, seen: asShown, value })
    if (!done.ok) throw new Error(done.error.message)
  })
  const target = mirror
    .snapshot((tx) => workingChildren(tx, 'variable', environmentId))
    .find((row) => cipher.open(row.fields.value?.sealed ?? '') === value)
  process.stdout.write(`${target?.id} ${value}\n`)
  engine.wake()
  await sleep(n % 7)
}
