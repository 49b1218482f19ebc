import type { Fields } from '../../queue/fields.ts'
import { withEntriesOf, type AppliedStep, type Direction, type RowImage, type Step } from './step.ts'

/** A step in the memory. It keeps its id when it is undone and redone. */
export interface KnownStep extends Step {
  readonly id: string
}

/** The undo and redo steps of each workspace. In memory only: a new start begins with none. */
export interface UndoMemory {
  /** Adds a new edit by the user, and returns its id. Undone edits can't be redone after it. */
  add(workspaceId: string, step: Step): string
  /** The step that is next in a direction, or null. */
  next(workspaceId: string, direction: Direction): KnownStep | null
  /** Call it after the next step was applied: it becomes the next step in the other direction. */
  turn(workspaceId: string, direction: Direction, applied: AppliedStep): void
  /** Drops the next step, which can't be applied any more. */
  drop(workspaceId: string, direction: Direction): void
}

interface Stacks {
  undo: KnownStep[]
  redo: KnownStep[]
  /** How many rows the steps in `undo` have. Counting them again for every edit would take a tenth of its time. */
  undoRows: number
}

/** The most rows in all steps of a workspace. A row with its sealed value takes about a kilobyte. */
const rowLimit = 100_000

/**
 * Keeps up to `stepLimit` steps of each workspace, and always the newest. `newId`: names a step as no earlier start of Holdfast has named one,
 * because a page may outlive the application.
 */
export function createUndoMemory(newId: () => string, stepLimit = 200): UndoMemory {
  const workspaces = new Map<string, Stacks>()
  const stacksOf = (workspaceId: string): Stacks => {
    const known = workspaces.get(workspaceId)
    if (known !== undefined) return known
    const fresh = { undo: [], redo: [], undoRows: 0 }
    workspaces.set(workspaceId, fresh)
    return fresh
  }
  const push = (stacks: Stacks, direction: Direction, step: KnownStep): void => {
    stacks[direction].push(step)
    if (direction === 'undo') stacks.undoRows += step.images.length
  }
  const pop = (stacks: Stacks, direction: Direction): KnownStep | undefined => {
    const step = stacks[direction].pop()
    if (direction === 'undo') stacks.undoRows -= step?.images.length ?? 0
    return step
  }

  return {
    add(workspaceId, step) {
      const stacks = stacksOf(workspaceId)
      stacks.redo = []
      const id = newId()
      push(stacks, 'undo', { ...step, id })
      while (stacks.undo.length > 1 && (stacks.undo.length > stepLimit || stacks.undoRows > rowLimit))
        stacks.undoRows -= stacks.undo.shift()?.images.length ?? 0
      return id
    },
    next: (workspaceId, direction) => workspaces.get(workspaceId)?.[direction].at(-1) ?? null,
    turn(workspaceId, direction, { step, moved }) {
      const stacks = stacksOf(workspaceId)
      const known = pop(stacks, direction)
      if (known === undefined) return
      push(stacks, direction === 'undo' ? 'redo' : 'undo', { ...step, id: known.id })
      if (moved.size === 0) return
      stacks.undo = stacks.undo.map((each) => moveStep(each, moved))
      stacks.redo = stacks.redo.map((each) => moveStep(each, moved))
    },
    drop(workspaceId, direction) {
      pop(stacksOf(workspaceId), direction)
    },
  }
}

/**
 * Returns the step with the new local ids of its rows. A row that was created again loses its recorded entries: the create includes them.
 */
function moveStep(step: KnownStep, moved: ReadonlyMap<string, string>): KnownStep {
  const to = (id: string): string => moved.get(id) ?? id
  const idsOf = ({ id, parentId, before, after }: RowImage) => [id, parentId, before?.parent, after?.parent]
  if (!step.images.some((image) => idsOf(image).some((id) => id != null && moved.has(id)))) return step
  const side = (fields: Fields | null) => (fields?.parent === undefined ? fields : { ...fields, parent: to(fields.parent) })
  const images = step.images.map((image) => ({
    ...(moved.has(image.id) ? withEntriesOf(image) : image),
    id: to(image.id),
    parentId: image.parentId === null ? null : to(image.parentId),
    before: side(image.before),
    after: side(image.after),
  }))
  return { ...step, images }
}
