import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { findOnPath } from '../../support/find-on-path.ts'
import { firstLine } from './first-line.ts'

export interface PrivateDisplay {
  /** For the environment variable DISPLAY. */
  name: string
  stop(): Promise<void>
}

/**
 * An X display of its own, or null where none can be made (another system, or no Xvfb). Windows on one display share its
 * pointer, its keyboard focus and its clipboard: a window that opens in one test would take them from a test beside it.
 */
export async function startPrivateDisplay(): Promise<PrivateDisplay | null> {
  const xvfb = process.platform === 'linux' ? findOnPath('Xvfb') : null
  if (xvfb === null) return null
  const args = ['-displayfd', '1', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp', '-noreset']
  const child = spawn(xvfb, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'exit')
  const number = await firstLine(child, 120_000)
  return {
    name: `:${number.trim()}`,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}
