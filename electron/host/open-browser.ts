import { spawn } from 'node:child_process'

/** Opens `url` in the user's browser where there is one to be seen. Never fails: the address is in the terminal too. */
export function openBrowser(url: string, platform: string, env: Readonly<Record<string, string | undefined>>): void {
  const command = browserCommand(url, platform, env)
  if (!command) return
  const child = spawn(command.file, command.args, { stdio: 'ignore', detached: true, windowsHide: true })
  child.on('error', () => {})
  child.unref()
}

/** The command that opens `url`, or null where a browser would have no screen: then xdg-open starts one in the terminal. */
export function browserCommand(
  url: string,
  platform: string,
  env: Readonly<Record<string, string | undefined>>,
): { file: string; args: string[] } | null {
  if (platform === 'darwin') return { file: 'open', args: [url] }
  if (platform === 'win32') return { file: 'explorer.exe', args: [url] }
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? { file: 'xdg-open', args: [url] } : null
}
