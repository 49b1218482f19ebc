import { SvelteSet } from 'svelte/reactivity'
import type { Queries } from '../../../electron/bridge/contract.ts'
import { syncStateWord } from '../../domain/sync-words.ts'
import { access } from '../../lib/access.svelte.ts'

type PageArgs = Queries['variables.page']['args']
export type SortColumn = NonNullable<PageArgs['sort']>['by']
export type Sort = NonNullable<PageArgs['sort']>
type TypeFilter = NonNullable<PageArgs['types']>[number]
type SyncFilter = NonNullable<PageArgs['sync']>[number]

/** One filter other than the text. */
export interface ViewFilter {
  key: string
  name: string
  remove: () => void
}

const typeNames: { readonly [T in TypeFilter]: string } = { string: 'string', number: 'number', boolean: 'boolean', unknown: 'no type' }

export const typeFilters = Object.keys(typeNames) as TypeFilter[]
export const syncFilters: readonly SyncFilter[] = ['synced', 'queued', 'sending', 'blocked', 'conflict', 'failed']

/** A word for a type that rows are filtered by. */
export const typeName = (type: TypeFilter): string => typeNames[type]

/** A word for a sync state that rows are filtered by. */
export const syncName = (state: SyncFilter): string => syncStateWord(state, access.isAlone).toLowerCase()

/** The filters and the order of the table. */
export class TableView {
  text = $state('')
  sort = $state.raw<Sort>({ by: 'name', dir: 'asc' })
  secret = $state<boolean | null>(null)
  readonly types = new SvelteSet<TypeFilter>()
  readonly sync = new SvelteSet<SyncFilter>()

  /** The arguments of the query for this view. */
  get args(): Pick<PageArgs, 'filter' | 'sort' | 'types' | 'secret' | 'sync'> {
    return {
      filter: this.text,
      sort: this.sort,
      ...(this.types.size > 0 && { types: [...this.types] }),
      ...(this.secret !== null && { secret: this.secret }),
      ...(this.sync.size > 0 && { sync: [...this.sync] }),
    }
  }

  /** The filters other than the text, to show and remove one by one. */
  get filters(): ViewFilter[] {
    return [
      ...[...this.types].map((key) => ({ key, name: typeNames[key], remove: () => void this.types.delete(key) })),
      ...(this.secret === null
        ? []
        : [{ key: 'secret', name: this.secret ? 'secret' : 'not secret', remove: () => void (this.secret = null) }]),
      ...[...this.sync].map((key) => ({ key, name: syncName(key), remove: () => void this.sync.delete(key) })),
    ]
  }

  get isFiltered(): boolean {
    return this.text !== '' || this.filters.length > 0
  }

  /** Shows everything again. */
  clear(): void {
    this.text = ''
    this.secret = null
    this.types.clear()
    this.sync.clear()
  }

  /** Sorts by a column; when called again, in the other direction. */
  sortBy(by: SortColumn): void {
    const first = by === 'name' || by === 'type' ? 'asc' : 'desc'
    this.sort = { by, dir: this.sort.by !== by ? first : this.sort.dir === 'asc' ? 'desc' : 'asc' }
  }
}
