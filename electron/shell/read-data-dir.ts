import { resolve } from 'node:path'

/** The data folder asked for by `--data-dir DIR`, `--data-dir=DIR` or HOLDFAST_DATA_DIR, in that order, absolute; null when nobody asked. */
export function readDataDir(args: readonly string[], env: Readonly<Record<string, string | undefined>>): string | null {
  const at = args.findIndex((arg) => arg === '--data-dir' || arg.startsWith('--data-dir='))
  const asked = at < 0 ? env['HOLDFAST_DATA_DIR'] : args[at] === '--data-dir' ? args[at + 1] : args[at]?.slice('--data-dir='.length)
  return asked ? resolve(asked) : null
}
