import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { chromium, type LaunchOptions } from '@playwright/test'

interface TestBrowser {
  /** Its file, or null for Google Chrome as Playwright finds it. */
  executable: string | null
  /** What its process needs in its environment beyond ours. */
  env: Record<string, string>
}

/** The options with which Playwright launches the browser of the tests. */
export async function browserOptions(): Promise<LaunchOptions> {
  const { executable, env } = await findBrowser()
  const inherited = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return {
    ...(executable === null ? { channel: 'chrome' } : { executablePath: executable }),
    env: { ...Object.fromEntries(inherited), ...env },
  }
}

const packages = path.resolve(import.meta.dirname, '../../node_modules')

/**
 * The browser that end-to-end tests open the page in. On Linux x64 always the Chromium inside the development packages, with its
 * own libraries and fonts, so that every machine tests the same and none has to install one. Elsewhere Playwright's
 * own (`npx playwright install chromium`), else Google Chrome.
 */
export async function findBrowser(): Promise<TestBrowser> {
  if (process.platform === 'linux' && process.arch === 'x64') return packagedBrowser()
  const own = chromium.executablePath()
  return { executable: existsSync(own) ? own : null, env: {} }
}

async function packagedBrowser(): Promise<TestBrowser> {
  const source = path.join(packages, '@sparticuz/chromium')
  const { version }: { version: string } = JSON.parse(await readFile(path.join(source, 'package.json'), 'utf8'))
  const home = path.join(packages, '.cache', `chromium-${version}`)
  if (!existsSync(home)) await unpack(path.join(source, 'bin'), home)
  const libraries = [path.join(home, 'al2023', 'lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':')
  return {
    executable: path.join(home, 'chromium'),
    env: { LD_LIBRARY_PATH: libraries, FONTCONFIG_PATH: path.join(home, 'fonts') },
  }
}

/** The package's own list names folders of the cloud service it was made for; with no font at all, text has no size. */
const fonts = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`

/** Unpacks into a folder of its own first, so that another process never finds half a browser. */
async function unpack(archives: string, home: string): Promise<void> {
  const { inflate } = await import('@sparticuz/chromium')
  await mkdir(path.dirname(home), { recursive: true })
  const work = await mkdtemp(`${home}-`)
  const before = process.env.TMPDIR
  // The package unpacks into the system's temp folder, wherever that is.
  process.env.TMPDIR = work
  try {
    for (const file of ['chromium.br', 'al2023.tar.br', 'fonts.tar.br', 'swiftshader.tar.br']) await inflate(path.join(archives, file))
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
  await writeFile(path.join(work, 'fonts', 'fonts.conf'), fonts)
  // Where another process was first, its folder is the same.
  await rename(work, home).catch(() => rm(work, { recursive: true, force: true }))
}
