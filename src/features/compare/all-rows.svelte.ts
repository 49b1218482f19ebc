import type { AppError } from '../../../electron/bridge/app-error.ts'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import type { Queries } from '../../../electron/bridge/contract.ts'
import type { CompareRow } from '../../../electron/bridge/rows.ts'

type Args = Omit<Queries['compare.page']['args'], 'offset' | 'limit'>

const pageSize = 200

/**
 * Every row of a comparison, asked for page by page: two environments side by side show a choice of them that only the page
 * knows. The rows on show stay until all the new ones are here.
 */
export class AllRows {
  rows = $state.raw<readonly CompareRow[] | undefined>()
  error = $state.raw<AppError | null>(null)

  /**
   * Call while a component is being made. `args` is tracked; null asks nothing and forgets the rows. So is `version`, anything that
   * changes when the rows may have: then they are read again, but a reading under way is first brought to its end, since a
   * busy sync changes rows faster than all of them can be read.
   */
  constructor(bridge: Bridge, args: () => Args | null, version: () => unknown) {
    let reading = false
    let again = false
    let key: string | null = null

    const read = async (asked: Args, own: string) => {
      reading = true
      do {
        again = false
        const result = await readAll(bridge, asked, () => key === own)
        if (key !== own || result === null) return
        if (Array.isArray(result)) this.rows = result
        this.error = Array.isArray(result) ? null : result
      } while (again)
      reading = false
    }

    $effect(() => {
      const asked = args()
      version()
      const now = asked === null ? null : JSON.stringify(asked)
      if (now === key && reading) {
        again = true
        return
      }
      key = now
      reading = false
      if (asked !== null && now !== null) void read(asked, now)
      else {
        this.rows = undefined
        this.error = null
      }
    })
    $effect(() => () => (key = null))
  }
}

async function readAll(bridge: Bridge, args: Args, isWanted: () => boolean): Promise<CompareRow[] | AppError | null> {
  const rows: CompareRow[] = []
  for (;;) {
    const result = await bridge.query('compare.page', { ...args, offset: rows.length, limit: pageSize })
    if (!isWanted()) return null
    if (!result.ok) return result.error
    rows.push(...result.value.rows)
    if (result.value.rows.length === 0 || rows.length >= result.value.total) return rows
  }
}
