import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, appendFile, open, rename, writeFile } from 'node:fs/promises'
import { connect, createServer, type AddressInfo } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { packageApp } from '../support/package-app.ts'
import { expect, test } from './fixtures.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** What an asar archive lists, as paths with `/`: a length-prefixed JSON header, by asar's own format. */
async function listArchive(file: string): Promise<string[]> {
  const handle = await open(file)
  try {
    const { buffer: sizes } = await handle.read(Buffer.alloc(16), 0, 16, 0)
    const { buffer: header } = await handle.read(Buffer.alloc(sizes.readUInt32LE(12)), 0, sizes.readUInt32LE(12), 16)
    return paths(JSON.parse(header.toString('utf8')) as Entry, '')
  } finally {
    await handle.close()
  }
}

/** The fuses inside the packaged executable, by name, those that Holdfast sets. */
async function fusesOf(unpacked: string): Promise<Record<string, string>> {
  const program = {
    darwin: 'Holdfast.app',
    win32: 'Holdfast.exe',
    linux: 'holdfast',
  }[process.platform as 'darwin' | 'win32' | 'linux']
  const tool = path.join(root, 'node_modules/@electron/fuses/dist/bin.js')
  const { stdout } = await promisify(execFile)(process.execPath, [tool, 'read', '--app', path.join(unpacked, program)])
  // oxlint-disable-next-line no-control-regex
  const plain = stdout.replaceAll(/\u001B\[\d+m/g, '')
  const ours = /^(RunAsNode|EnableCookieEncryption|EnableNode\w+|EnableEmbedded\w+|OnlyLoad\w+|GrantFile\w+)$/
  return Object.fromEntries(
    [...plain.matchAll(/^\s*(\w+) is (\w+)/gm)].flatMap(([, name = '', state = '']) => (ours.test(name) ? [[name, state]] : [])),
  )
}

interface Entry {
  files?: Record<string, Entry>
}

const paths = ({ files }: Entry, at: string): string[] =>
  files === undefined ? [at] : Object.entries(files).flatMap(([name, entry]) => paths(entry, at === '' ? name : `${at}/${name}`))

interface Started {
  output(): string
  stop(): Promise<void>
}

/** Starts a packaged application as a user would, with nothing of a test inside it. */
function startPackaged(executable: string, dataDir: string, args: readonly string[] = [], more: Record<string, string> = {}): Started {
  const { NODE_OPTIONS: _, ...env } = process.env
  const child = spawn(executable, [...args, '--data-dir', dataDir, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])], {
    env: { ...env, DBUS_SESSION_BUS_ADDRESS: 'disabled:', ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const ended = once(child, 'close')
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return {
    output: () => output,
    async stop() {
      process.kill(process.platform === 'win32' ? (child.pid ?? 0) : -(child.pid ?? 0), 'SIGKILL')
      await ended
    },
  }
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )

test(
  'the packaged application holds what it runs and nothing else, starts, lets no debugger in, and refuses native parts that were changed',
  { tag: '@shell' },
  async ({ folder, display }) => {
    const { folder: unpacked, executable, archive } = await packageApp(folder, 'shipped')
    const packed = await listArchive(archive)
    expect(packed).toEqual(expect.arrayContaining(['package.json', 'out/main/index.cjs', 'out/main/service.cjs', 'out/preload/index.cjs']))
    expect(packed.filter((name) => !/^(package\.json$|out\/|node_modules\/)/.test(name))).toEqual([])
    expect(
      packed.filter((name) => /node_modules\/(node-(linux|darwin|win)|electron|vite|typescript|svelte|@playwright)/.test(name)),
    ).toEqual([])
    const native = packed.filter((name) => name.endsWith('.node')).map((name) => path.posix.basename(name))
    expect(native.filter((name) => name === `${process.platform}-${process.arch}.node` || name === 'better_sqlite3.node')).toHaveLength(1)
    expect(native.filter((name) => name.startsWith('keyring.'))).toHaveLength(1)
    expect(native).toHaveLength(2)

    expect(await fusesOf(unpacked)).toEqual({
      RunAsNode: 'Disabled',
      EnableCookieEncryption: 'Disabled',
      EnableNodeOptionsEnvironmentVariable: 'Disabled',
      EnableNodeCliInspectArguments: 'Disabled',
      EnableEmbeddedAsarIntegrityValidation: 'Enabled',
      OnlyLoadAppFromAsar: 'Enabled',
      GrantFileProtocolExtraPrivileges: 'Disabled',
    })

    const shown = display === null ? {} : { DISPLAY: display.name }
    await test.step('it starts, and every door for a debugger or other code stays shut, whatever its file is called', async () => {
      const marker = path.join(folder, 'foreign-code-ran')
      const foreign = path.join(folder, 'foreign.cjs')
      await writeFile(foreign, `require('node:fs').writeFileSync(${JSON.stringify(marker)}, '')`)
      // Electron goes by this name when it is asked whether it is packaged.
      const renamed = path.join(path.dirname(executable), process.platform === 'win32' ? 'electron.exe' : 'electron')
      await rename(executable, renamed)
      const [pages, inspector] = [await freePort(), await freePort()]
      const dataDir = path.join(folder, 'started')
      const doors = [`--remote-debugging-port=${pages}`, '--remote-allow-origins=*', `--inspect=${inspector}`]
      const started = startPackaged(renamed, dataDir, doors, { ...shown, ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: `--require ${foreign}` })
      try {
        // Its workspaces are opened last, and its window with them.
        await expect.poll(() => exists(path.join(dataDir, 'workspaces')), { timeout: 90_000 }).toBe(true)
        // A debugger's port is open long before.
        for (let tries = 0; tries < 12; tries++) {
          expect([await answers(pages), await answers(inspector)]).toEqual([false, false])
          await new Promise((resolve) => setTimeout(resolve, 250))
        }
        expect(await exists(marker)).toBe(false)
        expect(started.output()).not.toContain("can't start")
      } finally {
        await started.stop()
        await rename(renamed, executable)
      }
    })

    // A Mac checks the signature of what it loads.
    if (process.platform === 'darwin') return
    await test.step('a native part that is not the one of the build is not loaded', async () => {
      const sqlite = packed.find((name) => /better-sqlite3\/.*\.node$/.test(name)) ?? ''
      await appendFile(path.join(`${archive}.unpacked`, sqlite), 'x')
      const dataDir = path.join(folder, 'altered')
      const started = startPackaged(executable, dataDir, [], shown)
      try {
        await expect.poll(started.output, { timeout: 90_000 }).toContain('is not the file that came with Holdfast')
        expect(await exists(path.join(dataDir, 'workspaces'))).toBe(false)
      } finally {
        await started.stop()
      }
    })
  },
)
