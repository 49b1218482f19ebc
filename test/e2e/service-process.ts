import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { Flavour } from '../support/flavours.ts'
import { firstLine } from './drivers/first-line.ts'
import { findQuietPort } from './quiet-port.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** A service as a team runs it: a process of its own on a data folder, that can be stopped and started on the same port. */
export class ServiceProcess {
  readonly dataDir: string
  #child: ChildProcess | null = null
  #port: number | null
  #apiKey = ''
  #flavour: Flavour = 'full'
  workspaceId = ''

  /** `port` null: a free one at the first start, the same one afterwards. */
  constructor(dataDir: string, port: number | null = null) {
    this.dataDir = dataDir
    this.#port = port
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** The key minted at bootstrap. */
  get apiKey(): string {
    return this.#apiKey
  }

  async start(): Promise<void> {
    const entry = this.#flavour === 'full' ? ['service/main.ts'] : ['test/support/serve-flavour.child.ts', '--flavour', this.#flavour]
    this.#port ??= await findQuietPort()
    const args = [...entry, '--port', `${this.#port}`, '--data', this.dataDir]
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    this.#child = child
    const line: { url: string; workspaceId: string; apiKey?: string } = JSON.parse(await firstLine(child, 120_000))
    this.#apiKey = line.apiKey ?? this.#apiKey
    this.workspaceId = line.workspaceId
  }

  async stop(): Promise<void> {
    const child = this.#child
    this.#child = null
    if (child === null || child.exitCode !== null) return
    const ended = once(child, 'close')
    child.kill('SIGTERM')
    await ended
  }

  /** From now on it is a server of this kind, on the same data at the same address. */
  async become(flavour: Flavour): Promise<void> {
    await this.stop()
    this.#flavour = flavour
    await this.start()
  }

  /** Asks the service directly, as another client would. */
  async ask(method: string, route: string, body?: unknown): Promise<{ status: number; body: { data: Record<string, unknown> } }> {
    const response = await fetch(`${this.url}${route}`, {
      method,
      headers: { authorization: `Bearer ${this.apiKey}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  }
}
