import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { Flavour } from '../../support/flavours.ts'

export type StageRequest =
  | { do: 'startHost'; dataDir: string }
  | { do: 'startService'; flavour: Flavour; dir: string; port: number }
  /** Ends what runs on a folder; nothing where nothing does. */
  | { do: 'stop'; dir: string }

export interface StageAnswers {
  startHost: { url: string }
  /** `apiKey` is null where the folder had one already. */
  startService: { url: string; workspaceId: string; apiKey: string | null }
  stop: null
}

interface Waiting {
  resolve(value: unknown): void
  reject(error: Error): void
}

/**
 * The process in which the hosts and services of a worker's tests run, each on a folder of its own. A process for each would spend most of
 * a test on starting them; a test for which the process itself matters starts one.
 */
export class Stage {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, Waiting>()
  #lastId = 0
  #output = ''

  constructor() {
    const stdio = ['ignore', 'pipe', 'pipe', 'ipc'] as const
    this.#child = spawn(process.execPath, [path.join(import.meta.dirname, 'stage.child.ts')], { stdio: [...stdio] })
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (chunk: Buffer) => (this.#output = (this.#output + chunk.toString()).slice(-20_000)))
    this.#child.on('message', (message: { id: number; value?: unknown; problem?: string }) => {
      const waiting = this.#waiting.get(message.id)
      this.#waiting.delete(message.id)
      if (message.problem === undefined) waiting?.resolve(message.value)
      else waiting?.reject(new Error(message.problem))
    })
    this.#child.once('exit', (code, signal) => {
      for (const { reject } of this.#waiting.values()) reject(new Error(`The stage ended (${signal ?? code}). ${this.#output}`))
      this.#waiting.clear()
    })
  }

  ask<R extends StageRequest>(request: R): Promise<StageAnswers[R['do']]> {
    return new Promise((resolve, reject) => {
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) throw new Error(`The stage has ended. ${this.#output}`)
      const id = ++this.#lastId
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject })
      this.#child.send({ id, request })
    })
  }

  /** The last of what it wrote, of all tests of the worker. */
  output(): string {
    return this.#output
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const ended = once(this.#child, 'exit')
    this.#child.disconnect()
    await ended
  }
}
