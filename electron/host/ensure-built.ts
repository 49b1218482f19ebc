import { spawn } from 'node:child_process'
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { err, ok, type Result } from '../bridge/result.ts'

const sources = ['src', 'electron', 'service', 'electron.vite.config.ts', 'package.json']
const built = ['out/main/index.cjs', 'out/main/host.cjs', 'out/main/service.cjs', 'out/preload/index.cjs', 'out/renderer/index.html']

/**
 * Builds the application and its page if a part is missing or older than the source tree `root`. Without sources, the earlier build is
 * used. The error is a sentence with the builder's message.
 */
export async function ensureBuilt(root: string): Promise<Result<null, string>> {
  const at = (path: string) => join(root, path)
  if (!existsSync(at('src/index.html')) || !isStale(sources.map(at), built.map(at))) return ok(null)
  return build(root)
}

/** True when one of `built` is missing or older than the newest file or folder of `sources`. */
export function isStale(sources: readonly string[], built: readonly string[]): boolean {
  const oldest = Math.min(...built.map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0))
  return newest(sources) > oldest
}

function newest(paths: readonly string[]): number {
  // Folders count too: a deletion changes only the folder's time.
  const times = paths.flatMap((path) => {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (!stat) return []
    return stat.isDirectory() ? [stat.mtimeMs, newest(readdirSync(path).map((name) => join(path, name)))] : [stat.mtimeMs]
  })
  return Math.max(0, ...times)
}

async function build(root: string): Promise<Result<null, string>> {
  const builder = join(root, 'node_modules/electron-vite/bin/electron-vite.js')
  if (!existsSync(builder)) return err("The page isn't built and the builder isn't installed. Run npm install first.")
  // Vite takes what follows these signs for a query or fragment.
  const sign = /[#?]/.exec(root)?.[0]
  if (sign !== undefined)
    return err(`Holdfast can't be built in ${root}: the name of a folder has ${sign} in it. Rename or move that folder.`)
  const out = join(root, 'out')
  const fresh = join(out, `.fresh-${process.pid}`)
  const ran = await run(process.execPath, [builder, 'build', '--logLevel', 'error', '--outDir', fresh], root)
  if (ran.ok) for (const part of ['main', 'preload', 'renderer']) swap(join(fresh, part), join(out, part))
  rmSync(fresh, { recursive: true, force: true })
  return ran
}

/** Replaces the folder `old` by `fresh`. Another Holdfast that serves `old` finds either all old files or all new ones. */
function swap(fresh: string, old: string): void {
  if (existsSync(old)) renameSync(old, `${fresh}.old`)
  renameSync(fresh, old)
}

function run(file: string, args: readonly string[], cwd: string): Promise<Result<null, string>> {
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd, env: { ...process.env, NO_COLOR: '1' }, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true })
    let words = ''
    const hear = (chunk: Buffer) => (words = (words + chunk.toString()).slice(-4000))
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('error', (error) => resolve(err(`Holdfast couldn't be built: ${error.message}`)))
    child.once('close', (code) => resolve(code === 0 ? ok(null) : err(`Holdfast couldn't be built: ${words.trim()}`)))
  })
}
