import { join } from 'node:path'

/** Where Holdfast keeps everything when nobody said otherwise: the platform's usual place, the same for both shells. */
export function defaultDataDir(platform: string, home: string, env: Readonly<Record<string, string | undefined>>): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Holdfast')
  if (platform === 'win32') return join(env['APPDATA'] || join(home, 'AppData', 'Roaming'), 'Holdfast')
  return join(env['XDG_DATA_HOME'] || join(home, '.local', 'share'), 'holdfast')
}
