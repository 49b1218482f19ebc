import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { findOnPath } from './find-on-path.ts'

export interface FoundBrowser {
  /** null: Playwright's own. */
  executable: string | null
  /** What its process needs in its environment beyond ours. */
  env: Record<string, string>
  /** For a person: which one it is. */
  name: string
}

const usualPlaces: Record<string, readonly string[]> = {
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((variable) =>
    ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe'].map((file) =>
      path.join(process.env[variable] ?? 'C:/', file),
    ),
  ),
}

function systemBrowser(): string | null {
  const onPath = findOnPath(
    'chromium',
    'chromium-browser',
    'google-chrome-stable',
    'google-chrome',
    'microsoft-edge-stable',
    'microsoft-edge',
  )
  return onPath ?? (usualPlaces[process.platform] ?? []).find((file) => existsSync(file)) ?? null
}

const starts = (executable: string, env: Record<string, string>) =>
  spawnSync(executable, ['--version'], { env: { ...process.env, ...env }, timeout: 30_000 }).status === 0

/**
 * The Chromium inside the npm package, unpacked once per version under the system's temp folder.
 * It brings the few libraries that a bare system lacks; they come before the system's only where it does not start without.
 */
async function packagedBrowser(): Promise<FoundBrowser | null> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null
  const packageFolder = path.resolve(path.dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '..')
  const { version }: { version: string } = JSON.parse(await readFile(path.join(packageFolder, 'package.json'), 'utf8'))
  const home = path.join(os.tmpdir(), `holdfast-chromium-${version}-${os.userInfo().uid}`)
  if (!existsSync(home)) await unpackTo(home, packageFolder)
  const executable = path.join(home, 'chromium')
  const fonts = { FONTCONFIG_PATH: path.join(home, 'fonts') }
  const libraries = { LD_LIBRARY_PATH: [path.join(home, 'al2023', 'lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':') }
  const name = `Chromium ${version} from npm`
  if (starts(executable, {})) return { executable, env: existsSync('/etc/fonts/fonts.conf') ? {} : fonts, name }
  return starts(executable, libraries) ? { executable, env: { ...fonts, ...libraries }, name } : null
}

/** Unpacks into a folder of its own first: another process never meets half a browser. */
async function unpackTo(home: string, packageFolder: string): Promise<void> {
  const { inflate } = await import('@sparticuz/chromium')
  const before = process.env.TMPDIR
  const work = await mkdtemp(path.join(os.tmpdir(), 'holdfast-unpack-'))
  // The package unpacks into the system's temp folder, wherever that is.
  process.env.TMPDIR = work
  try {
    for (const file of ['chromium.br', 'al2023.tar.br', 'fonts.tar.br', 'swiftshader.tar.br'])
      await inflate(path.join(packageFolder, 'bin', file))
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
  await mkdir(path.dirname(home), { recursive: true })
  await rename(work, home).catch(() => rm(work, { recursive: true, force: true }))
}

/**
 * The browser that end-to-end tests open the host's page in: HOLDFAST_TEST_BROWSER (a path, or
 * `npm` for the packaged one), else one of the system (Chromium, Chrome, Edge), else the one in
 * the npm package (Linux x64), else Playwright's own.
 */
export async function findBrowser(): Promise<FoundBrowser> {
  const wanted = process.env.HOLDFAST_TEST_BROWSER ?? ''
  if (wanted !== '' && wanted !== 'npm') return { executable: wanted, env: {}, name: wanted }
  const system = wanted === 'npm' ? null : systemBrowser()
  if (system !== null) return { executable: system, env: {}, name: system }
  return (await packagedBrowser()) ?? { executable: null, env: {}, name: "Playwright's own Chromium" }
}
