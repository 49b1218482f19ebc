import { arch, release } from 'node:os'
import { ok } from '../../bridge/result.ts'
import type { KeysStatus } from '../../bridge/rows.ts'
import type { AppContext } from '../app-context.ts'
import type { Handlers } from '../handlers.ts'
import { describeWorkspace } from './describe-workspace.ts'

type DiagnosticsHandlers = Pick<Handlers, 'diagnostics.report'>

/** A report to attach to a support question. It is built field by field and holds nothing that a user typed. */
export const diagnosticsHandlers = (context: AppContext): DiagnosticsHandlers => ({
  async 'diagnostics.report'() {
    const { version, shell, platform, now } = context.deps
    const { keyStore: _keyStore, place: _place, ...settings } = context.settings.get()
    const workspaces = await context.workspaces.list()
    const lines = [
      'Holdfast diagnostics',
      'Names, values, keys and addresses are left out.',
      '',
      `made: ${new Date(now()).toISOString()}`,
      `version: ${version}`,
      `shell: ${shell}`,
      `platform: ${platform} ${arch()} ${release()}`,
      `engines: ${engines()}`,
      `keys: ${keysInWords(await context.keys.status())}`,
      `settings: ${JSON.stringify(settings)}`,
      `workspaces: ${workspaces.length}`,
    ]
    for (const [index, row] of workspaces.entries()) {
      lines.push('', `workspace ${index + 1}`, ...(await describeWorkspace(context, row)).map((line) => `  ${line}`))
    }
    return ok({ text: `${lines.join('\n')}\n` })
  },
})

const engines = (): string =>
  ['electron', 'chrome', 'node', 'v8', 'openssl', 'sqlite']
    .flatMap((name) => {
      const version = process.versions[name]
      return version === undefined ? [] : [`${name} ${version}`]
    })
    .join(', ')

const keysInWords = (status: KeysStatus): string =>
  status.state === 'ready'
    ? `ready, ${status.store}`
    : `${status.state}${status.state === 'locked' ? `, ${status.store}` : ''}, keychain ${status.keychain}`
