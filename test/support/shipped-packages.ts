import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'

const dependencies = z.record(z.string(), z.string()).default({})
const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({ dependencies, devDependencies: dependencies, optionalDependencies: dependencies, peerDependencies: dependencies }),
  ),
})

/**
 * Returns where the packages are that users run, as package-lock.json names the places: what the application and the service load, Electron,
 * and what is bundled into the page. npm counts the last two among the tools.
 */
export function shippedPackages(root: string): Set<string> {
  const { packages } = lockSchema.parse(JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')))
  const page = globSync('src/**/*.{ts,svelte,css}', { cwd: root })
    .map((file) => readFileSync(path.join(root, file), 'utf8'))
    .join('\n')
  const isOfPage = (name: string) => page.includes(`'${name}'`) || page.includes(`'${name}/`)
  const own = packages['']
  const bundled = Object.keys(own?.devDependencies ?? {}).filter((name) => name === 'electron' || isOfPage(name))
  const shipped = new Set<string>()
  const waiting = [...Object.keys(own?.dependencies ?? {}), ...bundled].map((name) => placeOf(packages, name, ''))
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const locked = packages[place]
    if (locked === undefined || shipped.has(place)) continue
    shipped.add(place)
    const wanted = { ...locked.dependencies, ...locked.optionalDependencies, ...locked.peerDependencies }
    for (const name of Object.keys(wanted)) waiting.push(placeOf(packages, name, place))
  }
  return shipped
}

/** Where a package finds another one, as Node looks for it: below itself, then below each folder above. */
function placeOf(packages: Readonly<Record<string, unknown>>, name: string, from: string): string {
  const place = `${from === '' ? '' : `${from}/`}node_modules/${name}`
  return place in packages || from === '' ? place : placeOf(packages, name, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))))
}

const reportSchema = z.object({
  vulnerabilities: z.record(z.string(), z.object({ severity: z.string(), nodes: z.array(z.string()), range: z.string() })),
})

/**
 * Returns the known vulnerabilities of what users run, a line for each, from the report of `npm audit --json`. Those of low severity are left
 * out. Throws if npm could not make the report.
 */
export function shippedFlaws(report: string, shipped: ReadonlySet<string>): string[] {
  const { vulnerabilities } = reportSchema.parse(JSON.parse(report))
  return Object.entries(vulnerabilities).flatMap(([name, { severity, nodes, range }]) =>
    severity === 'info' || severity === 'low' || !nodes.some((place) => shipped.has(place)) ? [] : [`${name} ${range}: ${severity}`],
  )
}
