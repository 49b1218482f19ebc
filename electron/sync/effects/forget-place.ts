import { getBase } from '../../mirror/base-layer.ts'
import type { BaseRow } from '../change.ts'
import { applyContext } from './apply-context.ts'
import { applyGone } from './apply-theirs.ts'
import type { EngineDeps } from './engine-deps.ts'

/** Writes that a project or environment is not on the server any more, unless that is known by now; what was edited below it becomes a question. */
export function forgetPlace(deps: EngineDeps, place: BaseRow): void {
  deps.mirror.write((tx) => {
    if (getBase(tx, place.id) !== null) applyGone(tx, place, null, applyContext(deps))
  })
  deps.onChange(['projects', 'environments', 'variables', 'queue'])
}
