import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Runs a program of this folder to its end and gives what it printed, as JSON. */
export const runChild = async <T>(file: string, args: readonly string[], nodeArgs: readonly string[] = []): Promise<T> => {
  const { stdout } = await promisify(execFile)(process.execPath, [...nodeArgs, join(import.meta.dirname, file), ...args])
  return JSON.parse(stdout) as T
}
