import type { Change } from '../../../queue/entry.ts'
import type { Remote } from '../../../remote/remote.ts'
import type { PushItem } from '../../port.ts'
import type { Accept, SealFields } from '../shared/value-rules.ts'
import type { RowReader } from './row-reader.ts'

/** The tools that every part of the adapter shares. */
export interface BasicDeps {
  remote: Remote
  accept: Accept
  seal: SealFields
  reader: RowReader
}

export interface RowItem extends PushItem {
  entry: Change
}
