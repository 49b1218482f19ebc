import type { Queries } from '../../bridge/contract.ts'
import type { CompareGrid, CompareRow } from '../../bridge/rows.ts'
import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import type { Mirror } from '../../mirror/mirror.ts'
import {
  compareCells,
  environmentsOf,
  environmentStamps,
  mirrorVersion,
  type CellColumns,
  type StampColumns,
} from '../../mirror/reads/compare-columns.ts'
import { compareEnvironments, type Comparison } from './compare-environments.ts'
import { judgeCells, referenceOf } from './judge-cells.ts'

type PageArgs = Omit<Queries['compare.page']['args'], 'workspaceId'>

/** The key whose stamps are bare tags, and the stamp of an empty value under it; null while keys are locked. */
interface StampContext {
  keyId: string | null
  emptyStamp: string | null
}

/** A comparison, and the state of the mirror and key it was made from. */
interface Kept {
  key: string
  comparison: Promise<Comparison>
}

/** Answers pages of one comparison after the other; scrolling and filtering make nothing anew until the mirror changes. */
export function createComparer(): (mirror: Mirror, cipher: WorkspaceCipher | null, args: PageArgs) => Promise<CompareGrid> {
  const kept = new WeakMap<Mirror, Kept>()

  return async (mirror, cipher, { projectId, filter, only, offset, limit }) => {
    const stamps: StampContext = { keyId: cipher?.keyId ?? null, emptyStamp: cipher?.tagOf('') ?? null }
    // The version is asked for first: what is committed in between makes the comparison newer than it says, never older.
    const version = await mirrorVersion(mirror)
    const environments = await environmentsOf(mirror, projectId)
    const ids = environments.map(({ id }) => id)
    const key = JSON.stringify([version, stamps.keyId, ids])
    let found = kept.get(mirror)
    if (found?.key !== key) {
      found = { key, comparison: compare(mirror, ids, stamps) }
      kept.set(mirror, found)
      found.comparison.catch(() => kept.delete(mirror))
    }
    const comparison = await found.comparison
    const matching = matchingNames(comparison, filter, only)
    const names = matching.slice(offset, offset + limit)
    const cells = Map.groupBy(await compareCells(mirror, ids, names, stamps.keyId), (cell) => cell.name)
    return {
      environments: environments.map((environment, index) => ({
        ...environment,
        ...(comparison.counts[index] ?? { missing: 0, empty: 0, different: 0 }),
      })),
      total: matching.length,
      offset,
      rows: names.map((name) => toRow(name, ids, cells.get(name) ?? [], stamps.emptyStamp)),
    }
  }
}

async function compare(mirror: Mirror, environmentIds: readonly string[], { keyId, emptyStamp }: StampContext): Promise<Comparison> {
  const environments: StampColumns[][] = []
  for (const id of environmentIds) environments.push(await environmentStamps(mirror, id, keyId))
  return compareEnvironments(environments, emptyStamp)
}

function matchingNames({ names, missing, differs }: Comparison, filter: string, only: PageArgs['only']): readonly string[] {
  if (filter === '' && only === 'all') return names
  const text = filter.toLowerCase()
  const flags = only === 'missing' ? missing : only === 'differences' ? differs : null
  return names.filter((name, index) => (flags === null || flags[index] === 1) && (text === '' || name.toLowerCase().includes(text)))
}

function toRow(name: string, environmentIds: readonly string[], cells: readonly CellColumns[], emptyStamp: string | null): CompareRow {
  const inOrder = environmentIds.map((id) => cells.find((cell) => cell.parent_id === id))
  const stamps = inOrder.map((cell) => cell?.stamp)
  const judged = judgeCells(stamps, emptyStamp)
  const reference = inOrder[stamps.indexOf(referenceOf(stamps, emptyStamp) ?? undefined)] ?? cells[0]
  return {
    name,
    isSecret: cells.some((cell) => cell.is_secret !== 0),
    type: reference?.type ?? null,
    cells: environmentIds.map((environmentId, index) => ({
      environmentId,
      variableId: inOrder[index]?.id ?? null,
      state: judged[index]?.state ?? 'missing',
      group: judged[index]?.group ?? 0,
      sync: inOrder[index]?.change_state ?? 'synced',
    })),
  }
}
