import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')
const configs = ['package.json', 'tsconfig.json', '.oxlintrc.json', 'eslint.config.js', '.dependency-cruiser.cjs']

export interface PlantedProject {
  /** Runs an installed tool by its command name in the planted folder and gives what it printed, whatever its exit code. */
  run(tool: string, args: readonly string[]): Promise<string>
  remove(): Promise<void>
}

/** A folder under the system's temp folder that holds this project's lint configuration, its packages, and only the `files` given (path -> text). */
export async function plantProject(files: Readonly<Record<string, string>>): Promise<PlantedProject> {
  const dir = await mkdtemp(path.join(tmpdir(), 'holdfast-planted-'))
  await Promise.all(configs.map((file) => cp(path.join(root, file), path.join(dir, file))))
  await symlink(path.join(root, 'node_modules'), path.join(dir, 'node_modules'), 'junction')
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(dir, file)), { recursive: true })
    await writeFile(path.join(dir, file), text)
  }
  return {
    run: (tool, args) =>
      new Promise((resolve, reject) => {
        const command = path.join(root, 'node_modules', '.bin', tool)
        execFile(command, args, { cwd: dir, maxBuffer: 64 * 1024 * 1024, shell: process.platform === 'win32' }, (error, stdout, stderr) => {
          if (error && stdout === '') reject(new Error(`${tool} printed nothing: ${stderr}`, { cause: error }))
          else resolve(stdout)
        })
      }),
    remove: () => rm(dir, { recursive: true, force: true }),
  }
}
