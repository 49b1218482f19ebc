import { join, resolve } from 'node:path'

/** Returns the default data folder. It is in the platform's usual place, the same for both shells. */
export function defaultDataDir(platform: string, home: string, env: Readonly<Record<string, string | undefined>>): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Holdfast')
  if (platform === 'win32') return join(env['APPDATA'] || join(home, 'AppData', 'Roaming'), 'Holdfast')
  return join(env['XDG_DATA_HOME'] || join(home, '.local', 'share'), 'holdfast')
}

/**
 * The data folder asked for by `--data-dir DIR`, `--data-dir=DIR` or HOLDFAST_DATA_DIR, in that order, absolute; null when neither is set.
 */
export function readDataDir(args: readonly string[], env: Readonly<Record<string, string | undefined>>): string | null {
  const at = args.findIndex((arg) => arg === '--data-dir' || arg.startsWith('--data-dir='))
  const asked = at < 0 ? env['HOLDFAST_DATA_DIR'] : args[at] === '--data-dir' ? args[at + 1] : args[at]?.slice('--data-dir='.length)
  return asked ? resolve(asked) : null
}
