import { getBase } from '../../mirror/base-layer.ts'
import type { BaseRow } from '../../queue/entry.ts'
import { applyContext } from './apply-context.ts'
import { applyGone } from './apply-theirs.ts'
import type { EngineDeps } from './engine-deps.ts'

/** Writes that a row is not on the server any more, unless that is known by now; what was edited of it or below it becomes a question. */
export function writeGone(deps: EngineDeps, row: BaseRow): void {
  deps.mirror.write((tx) => {
    if (getBase(tx, row.id) !== null) applyGone(tx, row, null, applyContext(deps))
  })
  deps.onChange(['projects', 'environments', 'variables', 'queue', 'sync'])
}
