import type { AppError } from '../../../electron/bridge/app-error.ts'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import type { Queries } from '../../../electron/bridge/contract.ts'
import type { CompareRow } from '../../../electron/bridge/rows.ts'

type Args = Omit<Queries['compare.page']['args'], 'offset' | 'limit'>

const pageSize = 200

/**
 * Every row of a comparison, asked for page by page: two environments side by side show a choice of them that only the page
 * knows. `version` is anything that changes when the rows may have: the rows on show stay until all the new ones are here.
 */
export class AllRows {
  rows = $state.raw<readonly CompareRow[] | undefined>()
  error = $state.raw<AppError | null>(null)

  /** Call while a component is being made. `args` is tracked; null asks nothing and forgets the rows. */
  constructor(bridge: Bridge, args: () => { args: Args; version: unknown } | null) {
    $effect(() => {
      const asked = args()
      if (asked === null) {
        this.rows = undefined
        this.error = null
        return
      }
      let wanted = true
      void readAll(bridge, asked.args, () => wanted).then((result) => {
        if (!wanted || result === null) return
        if (Array.isArray(result)) this.rows = result
        this.error = Array.isArray(result) ? null : result
      })
      return () => (wanted = false)
    })
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
