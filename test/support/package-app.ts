import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { ensureBuilt } from '../../electron/host/ensure-built.ts'
import { findElectron } from './find-electron.ts'

const root = path.resolve(import.meta.dirname, '../..')
const run = promisify(execFile)

export interface PackagedApp {
  /** The folder of the unpacked application. */
  folder: string
  executable: string
  /** Its app.asar. */
  archive: string
}

/** The folder of the distribution that an executable is from; a runtime started through a script has it beside that. */
function distributionOf(executable: string): string {
  const beside = path.join(path.dirname(executable), 'dist')
  if (existsSync(beside)) return beside
  return process.platform === 'darwin' ? path.resolve(executable, '../../../..') : path.dirname(executable)
}

/** better-sqlite3 as a runtime brings it that is too old for ours; null: it needs none. */
function sqliteOf(distribution: string): string | null {
  const folder = path.join(distribution, 'native/node_modules/better-sqlite3')
  return existsSync(folder) ? folder : null
}

/**
 * A source tree at `stage` that is this one, but for SQLite where `sqlite` names another build of it. Packages are linked, those that are packaged
 * are copied.
 */
function stageSources(stage: string, sqlite: string | null): void {
  const modules = path.join(stage, 'node_modules')
  mkdirSync(path.join(modules, '@napi-rs'), { recursive: true })
  for (const file of ['package.json', 'package-lock.json', 'electron.vite.config.ts', 'electron-builder.yml'])
    cpSync(path.join(root, file), path.join(stage, file))
  for (const folder of ['electron', 'src', 'service', 'resources'])
    symlinkSync(path.join(root, folder), path.join(stage, folder), 'junction')
  for (const name of readdirSync(path.join(root, 'node_modules'))) {
    const from = path.join(root, 'node_modules', name)
    if (name === 'better-sqlite3' || name === '@napi-rs') cpSync(from, path.join(modules, name), { recursive: true })
    else symlinkSync(from, path.join(modules, name), 'junction')
  }
  if (sqlite === null) return
  const own = path.join(modules, 'better-sqlite3')
  rmSync(own, { recursive: true })
  for (const part of ['lib', 'build/Release/better_sqlite3.node', 'package.json'])
    cpSync(path.join(sqlite, part), path.join(own, part), { recursive: true })
  // Its helper would look for the file in many places.
  const database = path.join(own, 'lib/database.js')
  const helper = "require('bindings')('better_sqlite3.node')"
  writeFileSync(database, readFileSync(database, 'utf8').replace(helper, "require('../build/Release/better_sqlite3.node')"))
}

/** Puts `parts` of the build that everything else is tested on below `stage`. */
async function copyBuild(stage: string, parts: readonly string[]): Promise<void> {
  const built = await ensureBuilt(root)
  if (!built.ok) throw new Error(built.error)
  for (const part of parts) cpSync(path.join(root, 'out', part), path.join(stage, 'out', part), { recursive: true })
}

const mainAlone = `import config from './electron.vite.config.ts'
export default (env) => ({ main: config(env).main })
`

/** The build for users: only the main process is another one in it. */
async function buildShipped(stage: string): Promise<void> {
  await copyBuild(stage, ['preload', 'renderer'])
  writeFileSync(path.join(stage, 'main-alone.config.ts'), mainAlone)
  const cli = path.join(stage, 'node_modules/electron-vite/bin/electron-vite.js')
  const args = ['build', '--config', 'main-alone.config.ts', '--mode', 'shipped', '--logLevel', 'error']
  await run(process.execPath, [cli, ...args], { cwd: stage })
}

/**
 * Packages the application below `folder` for the Electron of the tests, as `npm run package -- --dir` does: for users (`shipped`), or as an
 * application that lets a test in. `flags` are further options of electron-builder.
 */
export async function packageApp(folder: string, mode: 'shipped' | 'production', flags: readonly string[] = []): Promise<PackagedApp> {
  const electron = await findElectron()
  if (!electron.found) throw new Error(`There is no Electron to package, because ${electron.why}.`)
  const distribution = distributionOf(electron.executable)
  const stage = path.join(folder, 'stage')
  stageSources(stage, sqliteOf(distribution))
  const tool = (name: string) => path.join(stage, 'node_modules', name)
  await (mode === 'shipped' ? buildShipped(stage) : copyBuild(stage, ['main', 'preload', 'renderer']))
  const output = path.join(folder, 'packaged')
  const settings = [`-c.electronDist=${distribution}`, `-c.directories.output=${output}`, ...flags]
  // electron-builder follows no link into /tmp or /var, where this project may lie, unless its temporary folder is there.
  const env = { ...process.env, TMPDIR: path.join(root, 'node_modules') }
  await run(process.execPath, [tool('electron-builder/cli.js'), '--dir', '--publish', 'never', ...settings], { cwd: stage, env })
  const [unpacked = ''] = readdirSync(output).filter((name) => name.endsWith('unpacked') || name.startsWith('mac'))
  const at = path.join(output, unpacked)
  const onMac = { executable: 'Holdfast.app/Contents/MacOS/Holdfast', archive: 'Holdfast.app/Contents/Resources/app.asar' }
  const elsewhere = { executable: process.platform === 'win32' ? 'Holdfast.exe' : 'holdfast', archive: 'resources/app.asar' }
  const { executable, archive } = process.platform === 'darwin' ? onMac : elsewhere
  return { folder: at, executable: path.join(at, executable), archive: path.join(at, archive) }
}
