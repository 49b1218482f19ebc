import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { Flavour } from '../../support/flavours.ts'

export type StageRequest =
  | { do: 'startHost'; dataDir: string }
  /** The address of a host that lets in next. */
  | { do: 'addressOf'; dataDir: string }
  | { do: 'startService'; flavour: Flavour; dir: string; port: number }
  /** Ends what runs on a folder; nothing where nothing does. */
  | { do: 'stop'; dir: string }

export interface StageAnswers {
  startHost: { url: string }
  addressOf: { url: string }
  /** `apiKey` is null where the folder had one already. */
  startService: { url: string; workspaceId: string; apiKey: string | null }
  stop: null
}

interface Answer {
  id: number
  value?: unknown
  /** Why there is no value. */
  problem?: string
}

/**
 * The process in which the hosts and services of a worker's tests run, each on a folder of its own. A process for each would spend most of
 * a test on starting them; a test for which the process itself matters starts one.
 */
export class Stage {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, (answer: Answer) => void>()
  #lastId = 0
  #output = ''

  constructor() {
    const stdio = ['ignore', 'pipe', 'pipe', 'ipc'] as const
    this.#child = spawn(process.execPath, [path.join(import.meta.dirname, 'stage.child.ts')], { stdio: [...stdio] })
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (chunk: Buffer) => (this.#output = (this.#output + chunk.toString()).slice(-20_000)))
    this.#child.on('message', (answer: Answer) => this.#settle(answer))
    this.#child.once('exit', (code, signal) => {
      for (const id of this.#waiting.keys()) this.#settle({ id, problem: `The stage ended (${signal ?? code}). ${this.#output}` })
    })
  }

  ask<R extends StageRequest>(request: R): Promise<StageAnswers[R['do']]> {
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId
      this.#waiting.set(id, ({ problem, value }) => {
        if (problem === undefined) resolve(value as StageAnswers[R['do']])
        else reject(new Error(problem))
      })
      // What has ended takes no request, and says so.
      this.#child.send({ id, request }, (error) => {
        if (error !== null) this.#settle({ id, problem: `${error.message}. ${this.#output}` })
      })
    })
  }

  #settle(answer: Answer): void {
    this.#waiting.get(answer.id)?.(answer)
    this.#waiting.delete(answer.id)
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
