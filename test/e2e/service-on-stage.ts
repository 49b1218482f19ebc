import { expect } from '@playwright/test'
import { callCommand } from '../service/support/run-service.ts'
import type { Flavour } from '../support/flavours.ts'
import type { Stage } from './drivers/stage.ts'
import { findQuietPort } from './quiet-port.ts'

/** A service on a data folder, that can be stopped and started on the same port. */
export class ServiceOnStage {
  readonly dataDir: string
  readonly #stage: Stage
  #port: number | null
  #apiKey = ''
  #flavour: Flavour = 'full'
  workspaceId = ''

  /** `port` null: a free one at the first start, the same one afterwards. */
  constructor(stage: Stage, dataDir: string, port: number | null = null) {
    this.#stage = stage
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
    this.#port ??= await findQuietPort()
    const started = await this.#stage.ask({ do: 'startService', flavour: this.#flavour, dir: this.dataDir, port: this.#port })
    this.#apiKey = started.apiKey ?? this.#apiKey
    this.workspaceId = started.workspaceId
  }

  async stop(): Promise<void> {
    await this.#stage.ask({ do: 'stop', dir: this.dataDir })
  }

  /** From now on it is a service of this kind, on the same data at the same address. */
  async become(flavour: Flavour): Promise<void> {
    await this.stop()
    this.#flavour = flavour
    await this.start()
  }

  /** Runs a command on the data of the service, and returns what it prints. */
  async command(...args: string[]): Promise<string> {
    const ended = await callCommand(...args, '--data', this.dataDir)
    expect(ended).toMatchObject({ code: 0 })
    return ended.stdout
  }

  /** Makes another API key of the owner, and returns it. */
  async createKey(): Promise<string> {
    const { apiKey }: { apiKey: string } = JSON.parse(await this.command('keys', 'create', '--email', 'owner@localhost'))
    return apiKey
  }

  /** Revokes the key minted at bootstrap, and waits until the service has noticed: it may know a key for another second. */
  async revokeKey(): Promise<void> {
    const id = /^hf_([^_]+)_/.exec(this.apiKey)?.[1] ?? ''
    await this.command('keys', 'revoke', id)
    await expect.poll(async () => (await this.ask('GET', '/workspace')).status).toBe(401)
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
