/** The facts that show, before Electron is started, whether a window can be opened. */
export interface Circumstances {
  platform: string
  /** null on a system without user numbers. */
  uid: number | null
  env: Readonly<Record<string, string | undefined>>
  noSandbox: boolean
}

/** Returns why no window can be opened, as the end of a sentence after "because"; null if nothing prevents it. */
export function whyNoWindow({ platform, uid, env, noSandbox }: Circumstances): string | null {
  if (uid === 0 && !noSandbox) return "it was started as root, and Electron's sandbox doesn't run as root"
  if (platform === 'linux' && !env['DISPLAY'] && !env['WAYLAND_DISPLAY'])
    return 'there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)'
  return null
}

/** How an Electron ended, and what it last wrote to stderr. */
export interface ElectronEnd {
  code: number | null
  signal: string | null
  /** The system's error code if Electron could not be started. */
  spawnError: string | null
  stderr: string
  afterMs: number
}

const soonMs = 10_000

/**
 * Returns why an ended Electron could not open a window, as the end of a sentence after "because"; null if it had run. A crash counts only
 * soon after the start.
 */
export function whyElectronFailed({ code, signal, spawnError, stderr, afterMs }: ElectronEnd): string | null {
  if (spawnError !== null) return `Electron can't start on this system (${spawnError})`
  if (code === 0) return null
  const library = /error while loading shared libraries: ([^\s:]+)/.exec(stderr)?.[1]
  if (library !== undefined) return `the shared library ${library}, which Electron needs, is missing`
  if (/Missing X server|Unable to open X display|cannot open display|Failed to connect to Wayland display/i.test(stderr)) {
    return "the display can't be opened"
  }
  if (/SUID sandbox helper|No usable sandbox|Running as root without --no-sandbox/.test(stderr)) {
    return "this system doesn't allow Electron's sandbox"
  }
  const crashed = signal !== null && ['SIGTRAP', 'SIGSEGV', 'SIGABRT', 'SIGILL', 'SIGBUS'].includes(signal)
  return crashed && afterMs < soonMs ? `Electron crashed when it started (${signal})` : null
}
