import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')
const support = (file: string) => path.join(import.meta.dirname, file)

/**
 * How a test starts the built application in Electron on `dataDir`: `args` for the executable that findElectron gave, and
 * the whole environment. Chromium refuses to run its sandbox as root, so uid 0 goes without; the application itself never does.
 */
export function electronEnv(dataDir: string): { args: string[]; cwd: string; env: Record<string, string> } {
  const inherited = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const NODE_OPTIONS = `--require ${JSON.stringify(support('electron-native-hook.cjs'))}`
  const args = [root, '--data-dir', dataDir, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])]
  const env = { NODE_OPTIONS, HOLDFAST_TEST_NODE_OPTIONS: NODE_OPTIONS, BASH_ENV: support('electron-env.sh') }
  return { args, cwd: root, env: { ...Object.fromEntries(inherited), ...env } }
}
