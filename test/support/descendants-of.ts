import { readdirSync, readFileSync } from 'node:fs'

/** The processes that `pid` has started, and those that they have, with what Chromium calls them. Linux alone. */
export function descendantsOf(pid: number): { pid: number; type: string }[] {
  const read = (file: string) => {
    try {
      return readFileSync(file, 'utf8')
    } catch {
      // It has ended.
      return ''
    }
  }
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const children = ids.filter((id) => Number(/\) \S (\d+)/.exec(read(`/proc/${id}/stat`))?.[1]) === pid).map(Number)
  return children.flatMap((child) => {
    const type = /--type=([\w-]+)/.exec(read(`/proc/${child}/cmdline`))?.[1] ?? 'other'
    return [{ pid: child, type }, ...descendantsOf(child)]
  })
}
