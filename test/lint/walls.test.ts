import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { plantProject } from '../support/planted-project.ts'
import type { PlantedProject } from '../support/planted-project.ts'

/** Files that others import below: each is legal where it stands. */
const ground: Record<string, string> = {
  'electron/bridge/rows.ts': 'export interface Row {\n  id: string\n}\nexport const limit = 1\n',
  'electron/bridge/result.ts': 'export const ok = 1\n',
  'electron/app/create-app.ts': 'export const createApp = 1\n',
  'electron/mirror/mirror.ts': 'export const mirror = 1\n',
  'electron/remote/remote.ts': 'export const remote = 1\n',
  'electron/cipher/cipher.ts': 'export const cipher = 1\n',
  'electron/keychain/store.ts': 'export const store = 1\n',
  'electron/sync/plan.ts': 'export const plan = 1\n',
  'electron/sync/engine/engine.ts': 'export const engine = 1\n',
  'electron/sync/adapters/adapter.ts': 'export const adapter = 1\n',
  'service/app.ts': 'export const service = 1\n',
  'service/worker.ts': 'export const thread = 1\n',
  'service/protocol/wire.ts': 'export const wire = 1\n',
  'src/features/screen.ts': 'export const screen = 1\n',
  'src/lib/state.ts': 'export const state = 1\n',
  'src/ui/part.ts': 'export const part = 1\n',
  'test/support/fake.ts': 'export const fake = 1\n',
}

/** Each row: a rule, the file planted to break it, and that file's text. */
const importWalls: [rule: string, file: string, text: string][] = [
  ['no-cycles', 'electron/transfer/left.ts', "import { right } from './right.ts'\nexport const left = right\n"],
  ['page-takes-types-only', 'src/value-of-bridge.ts', "import { limit } from '../electron/bridge/rows.ts'\nexport const max = limit\n"],
  [
    'page-takes-types-only',
    'src/ValueOfBridge.svelte',
    '<script lang="ts">\n  import { limit } from \'../electron/bridge/rows.ts\'\n</script>\n\n<p>{limit}</p>\n',
  ],
  [
    'model-judges-alone',
    'test/fuzz/oracle.ts',
    "import { mirror } from '../../electron/mirror/mirror.ts'\nexport const expected = mirror\n",
  ],
  ['page-is-apart', 'src/wire.ts', "import { wire } from '../service/protocol/wire.ts'\nexport const r = wire\n"],
  ['page-is-apart', 'src/past-bridge.ts', "import { createApp } from '../electron/app/create-app.ts'\nexport const app = createApp\n"],
  [
    'page-is-apart',
    'src/past-bridge-by-type.ts',
    "import type { engine } from '../electron/sync/engine/engine.ts'\nexport type E = typeof engine\n",
  ],
  ['page-domain-looks-down', 'src/domain/up.ts', "import { state } from '../lib/state.ts'\nexport const s = state\n"],
  ['page-lib-looks-down', 'src/lib/up.ts', "import { part } from '../ui/part.ts'\nexport const p = part\n"],
  ['page-ui-looks-down', 'src/ui/up.ts', "import { screen } from '../features/screen.ts'\nexport const s = screen\n"],
  ['page-has-no-node', 'src/node.ts', "import { readFileSync } from 'node:fs'\nexport const read = readFileSync\n"],
  [
    'only-the-protocol-of-the-service',
    'electron/app/service.ts',
    "import { service } from '../../service/app.ts'\nexport const s = service\n",
  ],
  [
    'only-the-protocol-of-the-service',
    'electron/app/thread.ts',
    "import { thread } from '../../service/worker.ts'\nexport const t = thread\n",
  ],
  ['service-is-apart', 'service/client.ts', "import { remote } from '../electron/remote/remote.ts'\nexport const r = remote\n"],
  ['protocol-is-a-leaf', 'service/protocol/leak.ts', "import { service } from '../app.ts'\nexport const s = service\n"],
  ['bridge-is-a-leaf', 'electron/bridge/leak.ts', "import { mirror } from '../mirror/mirror.ts'\nexport const m = mirror\n"],
  ['sync-core-is-pure', 'electron/sync/mirror.ts', "import { mirror } from '../mirror/mirror.ts'\nexport const m = mirror\n"],
  ['sync-core-is-pure', 'electron/sync/shell.ts', "import { engine } from './engine/engine.ts'\nexport const e = engine\n"],
  ['sync-core-is-pure', 'electron/sync/bridge.ts', "import type { Row } from '../bridge/rows.ts'\nexport type R = Row\n"],
  ['queue-is-a-leaf', 'electron/queue/plan.ts', "import { plan } from '../sync/plan.ts'\nexport const p = plan\n"],
  ['sync-core-has-no-packages', 'electron/queue/node.ts', "import { randomUUID } from 'node:crypto'\nexport const id = randomUUID\n"],
  ['sync-core-has-no-packages', 'electron/sync/node.ts', "import { randomUUID } from 'node:crypto'\nexport const id = randomUUID\n"],
  ['sync-core-has-no-packages', 'electron/sync/npm.ts', "import { v7 } from 'uuid'\nexport const id = v7\n"],
  [
    'sync-engine-knows-no-wire',
    'electron/sync/engine/wire.ts',
    "import { remote } from '../../remote/remote.ts'\nexport const r = remote\n",
  ],
  [
    'sync-engine-knows-no-wire',
    'electron/sync/engine/way.ts',
    "import { adapter } from '../adapters/adapter.ts'\nexport const a = adapter\n",
  ],
  [
    'sync-engine-knows-no-wire',
    'electron/sync/engine/key.ts',
    "import { cipher } from '../../cipher/cipher.ts'\nexport const c = cipher\n",
  ],
  [
    'sync-adapters-know-no-mirror',
    'electron/sync/adapters/mirror.ts',
    "import { mirror } from '../../mirror/mirror.ts'\nexport const m = mirror\n",
  ],
  [
    'sync-adapters-know-no-mirror',
    'electron/sync/adapters/engine.ts',
    "import { engine } from '../engine/engine.ts'\nexport const e = engine\n",
  ],
  ['mirror-is-a-leaf', 'electron/mirror/remote.ts', "import { remote } from '../remote/remote.ts'\nexport const r = remote\n"],
  ['mirror-is-a-leaf', 'electron/mirror/engine.ts', "import { engine } from '../sync/engine/engine.ts'\nexport const e = engine\n"],
  ['remote-is-a-leaf', 'electron/remote/mirror.ts', "import { mirror } from '../mirror/mirror.ts'\nexport const m = mirror\n"],
  ['cipher-is-a-leaf', 'electron/cipher/store.ts', "import { store } from '../keychain/store.ts'\nexport const s = store\n"],
  ['keychain-is-a-leaf', 'electron/keychain/cipher.ts', "import { cipher } from '../cipher/cipher.ts'\nexport const c = cipher\n"],
  ['references-is-a-leaf', 'electron/references/mirror.ts', "import { mirror } from '../mirror/mirror.ts'\nexport const m = mirror\n"],
  ['match-is-a-leaf', 'electron/match/mirror.ts', "import { mirror } from '../mirror/mirror.ts'\nexport const m = mirror\n"],
  ['transfer-is-a-leaf', 'electron/transfer/mirror.ts', "import { mirror } from '../mirror/mirror.ts'\nexport const m = mirror\n"],
  [
    'values-alone-have-no-packages',
    'electron/references/node.ts',
    "import { randomUUID } from 'node:crypto'\nexport const id = randomUUID\n",
  ],
  ['app-stays-in-its-shell', 'electron/app/shell.ts', "import { host } from '../host/host.ts'\nexport const h = host\n"],
  ['main-imports-app-and-bridge', 'electron/main/mirror.ts', "import { mirror } from '../mirror/mirror.ts'\nexport const m = mirror\n"],
  ['shell-imports-app-and-bridge', 'electron/shell/mirror.ts', "import { mirror } from '../mirror/mirror.ts'\nexport const m = mirror\n"],
  ['host-imports-app-and-bridge', 'electron/host/host.ts', "import { store } from '../keychain/store.ts'\nexport const host = store\n"],
  ['preload-imports-bridge', 'electron/preload/app.ts', "import { createApp } from '../app/create-app.ts'\nexport const a = createApp\n"],
  ['electron-only-in-its-shell', 'electron/app/window.ts', "import { BrowserWindow } from 'electron'\nexport const w = BrowserWindow\n"],
  ['sqlite-only-where-data-lives', 'electron/app/sql.ts', "import Database from 'better-sqlite3'\nexport const d = Database\n"],
  ['no-tests-in-the-product', 'electron/app/fake.ts', "import { fake } from '../../test/support/fake.ts'\nexport const f = fake\n"],
  ['declared-packages-only', 'service/transitive.ts', "import avvio from 'avvio'\nexport const a = avvio\n"],
  ['no-development-packages-in-the-product', 'service/development.ts', "import fc from 'fast-check'\nexport const f = fc\n"],
  ['no-missing-files', 'electron/app/nowhere.ts', "import { gone } from './gone.ts'\nexport const g = gone\n"],
]

/** Imports that must stay allowed: a wall that stops everything proves nothing. */
const allowed: Record<string, string> = {
  'electron/transfer/right.ts': "import { left } from './left.ts'\nexport const right = left\n",
  'src/type-of-bridge.ts': "import type { Row } from '../electron/bridge/rows.ts'\nexport type R = Row\n",
  'src/TypeOfBridge.svelte':
    '<script lang="ts">\n  import type { Row } from \'../electron/bridge/rows.ts\'\n  const { row }: { row: Row } = $props()\n</script>\n\n<p>{row.id}</p>\n',
  'electron/remote/protocol.ts': "import { wire } from '../../service/protocol/wire.ts'\nexport const w = wire\n",
  'electron/mirror/plan.ts':
    "import { plan } from '../sync/plan.ts'\nimport Database from 'better-sqlite3'\nexport const p = [plan, Database]\n",
  'electron/sync/merge.ts': "import { plan } from './plan.ts'\nexport const m = plan\n",
  'electron/sync/engine/all.ts':
    "import { plan } from '../plan.ts'\nimport { mirror } from '../../mirror/mirror.ts'\nexport const a = [plan, mirror]\n",
  'electron/sync/adapters/all.ts':
    "import { plan } from '../plan.ts'\nimport { remote } from '../../remote/remote.ts'\nimport { ok } from '../../bridge/result.ts'\nexport const a = [plan, remote, ok]\n",
  'electron/main/index.ts':
    "import { app } from 'electron'\nimport { createApp } from '../app/create-app.ts'\nexport const a = [app, createApp]\n",
}

interface Cruise {
  summary: { violations: { from: string; rule: { name: string } }[] }
}

describe('the walls between rooms', () => {
  let project: PlantedProject
  let found: string[]
  beforeAll(async () => {
    const planted = Object.fromEntries(importWalls.map(([, file, text]) => [file, text]))
    project = await plantProject({ ...ground, ...allowed, ...planted })
    const cruise: Cruise = JSON.parse(await project.run('depcruise', ['electron', 'service', 'src', 'test', '--output-type', 'json']))
    found = cruise.summary.violations.map((violation) => `${violation.rule.name}: ${violation.from}`)
  })
  afterAll(() => project.remove())

  test.each(importWalls)('%s stops %s', (rule, file) => {
    expect(found).toContain(`${rule}: ${file}`)
  })

  test.each(Object.keys(allowed).filter((file) => file !== 'electron/transfer/right.ts'))('%s is allowed', (file) => {
    expect(found.filter((line) => line.endsWith(`: ${file}`))).toEqual([])
  })
})

/** Each row: a rule of oxlint or an error of TypeScript, the file planted to break it, and that file's text. */
const oxlintWalls: [rule: string, file: string, text: string][] = [
  ['no-restricted-imports', 'electron/main/window.ts', "import { ipcMain } from 'electron'\nexport const w = ipcMain\n"],
  ['no-restricted-imports', 'electron/main/renderer.ts', "import { ipcRenderer } from 'electron'\nexport const r = ipcRenderer\n"],
  ['no-restricted-imports', 'electron/main/whole.ts', "import * as electron from 'electron'\nexport const e = electron\n"],
  ['no-restricted-imports', 'electron/preload/main.ts', "import { ipcMain } from 'electron'\nexport const m = ipcMain\n"],
  ['no-explicit-any', 'electron/app/any.ts', 'export const any: any = 1\n'],
  ['no-non-null-assertion', 'electron/app/bang.ts', 'export const bang = (text?: string) => text!\n'],
  ['no-default-export', 'electron/app/default.ts', 'export default 1\n'],
  ['no-console', 'electron/app/console.ts', "console.log('value')\nexport const c = 1\n"],
  ['no-restricted-globals', 'electron/queue/id.ts', 'export const id = () => crypto.randomUUID()\n'],
  ['no-restricted-globals', 'electron/sync/plan/id.ts', 'export const id = () => crypto.randomUUID()\n'],
  ['no-restricted-globals', 'electron/sync/id.ts', 'export const id = () => crypto.randomUUID()\n'],
  ['no-restricted-properties', 'electron/sync/clock.ts', 'export const now = () => Date.now()\n'],
  ['no-restricted-properties', 'electron/sync/dice.ts', 'export const roll = () => Math.random()\n'],
  ['TS2322', 'electron/app/type.ts', "export const count: number = 'one'\n"],
  ['no-floating-promises', 'electron/app/floating.ts', 'const later = async () => 1\nlater()\nexport const f = 1\n'],
  [
    'switch-exhaustiveness-check',
    'electron/app/switch.ts',
    "export function f(side: 'a' | 'b') {\n  switch (side) {\n    case 'a':\n      return 1\n  }\n  return 2\n}\n",
  ],
]

const oxlintAllowed: Record<string, string> = {
  'electron/main/ipc.ts': "import { ipcMain } from 'electron'\nexport const m = ipcMain\n",
  'electron/preload/index.ts': "import { ipcRenderer } from 'electron'\nexport const r = ipcRenderer\n",
  'electron/sync/effects/clock.ts': 'export const now = () => Date.now()\n',
}

interface OxlintReport {
  diagnostics: { code: string; filename: string }[]
}

describe('the bans of oxlint', () => {
  let project: PlantedProject
  let found: string[]
  beforeAll(async () => {
    project = await plantProject({ ...oxlintAllowed, ...Object.fromEntries(oxlintWalls.map(([, file, text]) => [file, text])) })
    const report: OxlintReport = JSON.parse(await project.run('oxlint', ['--format', 'json']))
    found = report.diagnostics.map((diagnostic) => `${/\((.*)\)/.exec(diagnostic.code)?.[1] ?? diagnostic.code}: ${diagnostic.filename}`)
  })
  afterAll(() => project.remove())

  test.each(oxlintWalls)('%s stops %s', (rule, file) => {
    expect(found).toContain(`${rule}: ${file}`)
  })

  test.each(Object.keys(oxlintAllowed))('%s is allowed', (file) => {
    expect(found.filter((line) => line.endsWith(`: ${file}`))).toEqual([])
  })
})

/** Each row: a rule of eslint, the file planted to break it, and that file's text. */
const eslintWalls: [rule: string, file: string, text: string][] = [
  ['no-restricted-syntax', 'electron/mirror/kysely.ts', 'export const f = (db: { transaction(): unknown }) => db.transaction()\n'],
  [
    'no-restricted-syntax',
    'electron/mirror/controlled.ts',
    'export const f = (db: { startTransaction(): unknown }) => db.startTransaction()\n',
  ],
  ['no-restricted-syntax', 'electron/mirror/stream.ts', 'export const f = (query: { stream(n: number): unknown }) => query.stream(10)\n'],
  ['@typescript-eslint/no-explicit-any', 'src/Any.svelte', '<script lang="ts">\n  const a: any = 1\n</script>\n\n<p>{a}</p>\n'],
  [
    '@typescript-eslint/no-non-null-assertion',
    'src/Bang.svelte',
    '<script lang="ts">\n  const { a }: { a?: string } = $props()\n</script>\n\n<p>{a!}</p>\n',
  ],
  ['svelte/no-at-html-tags', 'src/Html.svelte', '<script lang="ts">\n  const { a }: { a: string } = $props()\n</script>\n\n{@html a}\n'],
]

const eslintAllowed: Record<string, string> = {
  'electron/mirror/writer.ts': 'export const f = (db: { transaction(run: () => void): unknown }) => db.transaction(() => undefined)\n',
  'service/store/store.ts': 'export const f = (db: { transaction(): unknown }) => db.transaction()\n',
  'src/Plain.svelte': '<script lang="ts">\n  const { a }: { a: string } = $props()\n</script>\n\n<p>{a}</p>\n',
}

interface EslintFile {
  filePath: string
  messages: { ruleId: string | null }[]
}

describe('the bans of eslint', () => {
  let project: PlantedProject
  let found: string[]
  beforeAll(async () => {
    project = await plantProject({ ...eslintAllowed, ...Object.fromEntries(eslintWalls.map(([, file, text]) => [file, text])) })
    const files: EslintFile[] = JSON.parse(await project.run('eslint', ['.', '--format', 'json']))
    found = files.flatMap((file) => file.messages.map((message) => `${message.ruleId}: ${file.filePath}`))
  })
  afterAll(() => project.remove())

  test.each(eslintWalls)('%s stops %s', (rule, file) => {
    expect(found.filter((line) => line.startsWith(`${rule}: `) && line.endsWith(`/${file}`))).not.toEqual([])
  })

  test.each(Object.keys(eslintAllowed))('%s is allowed', (file) => {
    expect(found.filter((line) => line.endsWith(`/${file}`))).toEqual([])
  })
})
