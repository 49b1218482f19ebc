import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { run } from '../../../service/cli/run.ts'

const main = join(import.meta.dirname, '..', '..', '..', 'service', 'main.ts')

export interface Finished {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface Running {
  url: string
  workspaceId: string
  apiKey: string | undefined
  child: ChildProcess
  /** Resolves when the process has ended. */
  finished: Promise<Finished>
  /** Asks it to stop and waits for its end. */
  stop(): Promise<Finished>
}

const start = (
  args: readonly string[],
  more: Record<string, string> = {},
): { child: ChildProcess; finished: Promise<Finished>; firstLine: Promise<string> } => {
  const { DATABASE_URL: _, ...env } = process.env
  const child = spawn(process.execPath, [main, ...args], { env: { ...env, ...more }, stdio: ['pipe', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  let tellLine: (line: string) => void = () => undefined
  const firstLine = new Promise<string>((resolve) => {
    tellLine = resolve
  })
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString('utf8')
    const end = stdout.indexOf('\n')
    if (end >= 0) tellLine(stdout.slice(0, end))
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8')
  })
  const finished = new Promise<Finished>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
  })
  return { child, finished, firstLine }
}

/** Runs a command of the service in this process, where a process for each would only cost time. */
export const callCommand = async (...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> => {
  let stdout = ''
  let stderr = ''
  const code = await run(args, {
    print: (result) => void (stdout += `${typeof result === 'string' ? result : JSON.stringify(result)}\n`),
    printError: (message) => void (stderr += `${message}\n`),
  })
  return { code, stdout, stderr }
}

/** Starts a command of the service in a process of its own. */
export const startCommand = (...args: string[]): Pick<Running, 'child' | 'finished'> => start(args)

/** Runs a command of the service to its end, in a process of its own. */
export const runCommand = (...args: string[]): Promise<Finished> => {
  const { child, finished } = start(args)
  child.stdin?.end()
  return finished
}

/** Runs a command of the service to its end, with these variables in its environment. */
export const runCommandIn = (env: Record<string, string>, ...args: string[]): Promise<Finished> => {
  const { child, finished } = start(args, env)
  child.stdin?.end()
  return finished
}

/** Starts the service as a process of its own on a random port and waits for its first line. */
export const runService = async (...args: string[]): Promise<Running> => {
  const { child, finished, firstLine } = start(['--port', '0', ...args])
  const line = await Promise.race([firstLine, finished.then((end) => Promise.reject(new Error(`the service ended: ${end.stderr}`)))])
  const { url, workspaceId, apiKey } = JSON.parse(line) as { url: string; workspaceId: string; apiKey?: string }
  const stop = () => {
    child.kill('SIGTERM')
    return finished
  }
  return { url, workspaceId, apiKey, child, finished, stop }
}
