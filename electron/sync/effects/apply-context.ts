import type { EngineDeps } from './engine-deps.ts'

/** Time and ids for what a sync writes. */
export interface ApplyContext {
  now: number
  newId(): string
}

export const applyContext = (deps: Pick<EngineDeps, 'now' | 'newId'>): ApplyContext => ({ now: deps.now(), newId: () => deps.newId() })
