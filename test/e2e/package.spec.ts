import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { findElectron } from '../support/find-electron.ts'
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

/** The folder of the distribution that an executable is from; a runtime started through a script has it beside that. */
function distributionOf(executable: string): string {
  const beside = path.join(path.dirname(executable), 'dist')
  if (existsSync(beside)) return beside
  return process.platform === 'darwin' ? path.resolve(executable, '../../../..') : path.dirname(executable)
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

test(
  'the packaged application holds what it runs, its native parts outside of the archive, and nothing else',
  { tag: '@shell' },
  async ({ folder }) => {
    const electron = await findElectron()
    if (!electron.found) throw new Error(`There is no Electron to package, because ${electron.why}.`)
    const builder = path.join(root, 'node_modules/electron-builder/cli.js')
    const distribution = `-c.electronDist=${distributionOf(electron.executable)}`
    await promisify(execFile)(process.execPath, [builder, '--dir', '--publish', 'never', distribution, `-c.directories.output=${folder}`], {
      cwd: root,
    })

    const [unpacked = ''] = (await readdir(folder)).filter((name) => name.endsWith('unpacked') || name.startsWith('mac'))
    const files = await readdir(path.join(folder, unpacked), { recursive: true })
    const archive = path.join(folder, unpacked, files.find((name) => path.basename(name) === 'app.asar') ?? 'app.asar')
    const packed = await listArchive(archive)

    expect(packed).toEqual(expect.arrayContaining(['package.json', 'out/main/index.cjs', 'out/main/service.cjs', 'out/preload/index.cjs']))
    expect(packed.filter((name) => !/^(package\.json$|out\/|node_modules\/)/.test(name))).toEqual([])
    expect(
      packed.filter((name) => /node_modules\/(node-(linux|darwin|win)|electron|vite|typescript|svelte|@playwright)/.test(name)),
    ).toEqual([])
    const native = packed.filter((name) => name.endsWith('.node')).map((name) => path.posix.basename(name))
    expect(native.filter((name) => name === `${process.platform}-${process.arch}.node`)).toHaveLength(1)
    expect(native.filter((name) => name.startsWith('keyring.'))).toHaveLength(1)
    expect(native).toHaveLength(2)

    expect(await fusesOf(path.join(folder, unpacked))).toEqual({
      RunAsNode: 'Disabled',
      EnableCookieEncryption: 'Disabled',
      EnableNodeOptionsEnvironmentVariable: 'Disabled',
      EnableNodeCliInspectArguments: 'Disabled',
      EnableEmbeddedAsarIntegrityValidation: 'Enabled',
      OnlyLoadAppFromAsar: 'Enabled',
      GrantFileProtocolExtraPrivileges: 'Disabled',
    })
  },
)
