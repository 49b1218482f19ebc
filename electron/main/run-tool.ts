import { execFile } from 'node:child_process'

export interface ToolAnswer {
  /** null if it could not be started, or did not end in time. */
  code: number | null
  output: string
}

/**
 * Runs a program of the system by its full path, without a shell and with only `env` as environment. The variables with which Holdfast was
 * started (PATH, LD_PRELOAD, the address of another bus) must not choose who answers. Never rejects.
 */
export const runTool = (file: string, args: readonly string[], env: Record<string, string>, timeoutMs: number): Promise<ToolAnswer> =>
  new Promise((resolve) => {
    execFile(file, args, { env, timeout: timeoutMs, windowsHide: true }, (error, stdout) => {
      if (error === null) resolve({ code: 0, output: stdout })
      else resolve({ code: typeof error.code === 'number' ? error.code : null, output: stdout })
    })
  })
