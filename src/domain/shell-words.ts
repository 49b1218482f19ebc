const systems: Readonly<Record<string, string>> = { linux: 'Linux', darwin: 'macOS', win32: 'Windows' }

/** Where the application runs, to follow "Runs in". `platform` as Node names it. */
export const shellWords = ({ shell, platform }: { shell: 'electron' | 'browser'; platform: string }): string =>
  `${shell === 'electron' ? 'its own window' : 'the browser'} on ${systems[platform] ?? platform}`
