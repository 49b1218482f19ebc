import { isChange, isOperation, type BaseRow, type Entry } from '../../../electron/queue/entry.ts'
import type { Fields } from '../../../electron/queue/fields.ts'
import { naturalKey } from '../../../electron/queue/natural-key.ts'
import { replayRow } from '../../../electron/queue/replay.ts'
import type { RemoteRow } from '../../../electron/sync/port.ts'
import type { AnswerFacts, Step } from '../../../electron/sync/plan/step.ts'
import { sealed } from '../../queue/a-change.ts'

/** What a plan may ask of a mirror that holds these rows and this queue. Ids made by it are `new1`, `new2`, ... */
export function factsOf(rows: readonly BaseRow[], queue: readonly Entry[], more: Partial<AnswerFacts> = {}): AnswerFacts {
  let made = 0
  const changes = queue.filter(isChange)
  const base = (id: string) => rows.find((row) => row.id === id) ?? null
  const changesOf = (rowId: string) => changes.filter((change) => change.rowId === rowId)
  const creates = changes.filter(({ kind }) => kind === 'create')
  return {
    base,
    baseOf: (kind, remoteId) => rows.find((row) => row.kind === kind && row.remoteId === remoteId) ?? null,
    children: (id) => rows.filter(({ parentId }) => parentId === id),
    wasElsewhere: (id, environmentId) => base(id)?.parentId !== environmentId,
    working: (id) => replayRow(base(id), changesOf(id)),
    changesOf,
    changesBeside: ({ rowId, seq }) => changesOf(rowId).filter((change) => change.seq !== seq),
    childChanges: (parentId) => changes.filter(({ ancestors }) => ancestors[0] === parentId),
    operationsOn: (environmentId) => queue.filter(isOperation).filter(({ ancestors }) => ancestors[0] === environmentId),
    createClaiming: (kind, parentId, key) =>
      creates.find(
        (create) => create.rowKind === kind && create.ancestors[0] === (parentId ?? undefined) && naturalKey(kind, create.patch) === key,
      ) ?? null,
    createOf: (kind, remoteId) =>
      creates.find((create) => create.rowKind === kind && (create.remoteId === remoteId || create.conflict?.remoteId === remoteId)) ?? null,
    createAgain: (parentId, name) =>
      creates.find(({ rowKind, ancestors, base: was }) => rowKind === 'variable' && ancestors[0] === parentId && was?.name === name) ??
      null,
    idFor: () => `new${(made += 1)}`,
    now: 1000,
    newId: () => `new${(made += 1)}`,
    random: () => 0.5,
    timesStale: 0,
    memberStatus: () => 'active',
    ...more,
  }
}

const stamps = { etag: 'e1', createdAt: null, updatedAt: null, updatedBy: 'Ada' }

/** Variable A with value 1, as the service last showed it. */
export const aBaseRow = (parts: Partial<BaseRow> = {}): BaseRow => ({
  id: 'row',
  kind: 'variable',
  parentId: 'env',
  remoteId: 'r-row',
  fields: { name: 'A', value: sealed('1') },
  ...stamps,
  ...parts,
})

export const environment = aBaseRow({
  id: 'env',
  kind: 'environment',
  parentId: 'project',
  remoteId: 'r-env',
  fields: { name: 'Prod', slug: 'prod' },
})
export const project = aBaseRow({
  id: 'project',
  kind: 'project',
  parentId: null,
  remoteId: 'r-project',
  fields: { name: 'Shop', slug: 'shop' },
})

/** The same variable as the service shows it now. */
export const aRemoteRow = (parts: Partial<RemoteRow> = {}): RemoteRow => ({
  kind: 'variable',
  remoteId: 'r-row',
  parentRemoteId: 'r-env',
  fields: { name: 'A', value: sealed('1') },
  ...stamps,
  ...parts,
})

/** Steps in words, one each; changed layers are left out that every plan asks for (`refresh`). */
export const wordsOf = (steps: readonly Step[]): string[] => steps.flatMap((step) => wordOf(step) ?? [])

function wordOf(step: Step): string | null {
  switch (step.do) {
    case 'advance': {
      const { entry, event } = step
      const what = 'conflict' in event && event.conflict !== null && event.conflict !== undefined ? ` as ${event.conflict.kind}` : ''
      return `${event.is} ${entry.id}${what}${bytesIn(event)}`
    }
    case 'add':
      return `create ${step.change.rowId} again${step.conflict === null ? '' : ` if its user wants (${step.conflict.kind})`}`
    case 'insert':
    case 'write':
      return `base ${step.row.id} in ${step.row.parentId} is ${textOf(step.row.fields)}`
    case 'rebind':
      return `${step.from} is ${step.to}`
    case 'keep':
      return `history keeps ${textOf(step.row.fields)}, ${step.overwrite.why} by ${step.overwrite.whose === 'mine' ? 'local' : 'remote'}`
    case 'forget':
      return `base without ${step.row.id}`
    case 'delete-member':
    case 'write-member':
    case 'write-version':
    case 'untrack':
      return step.do
    case 'refresh':
      return null
  }
}

const bytesIn = (event: Extract<Step, { do: 'advance' }>['event']): string =>
  'patch' in event && event.patch !== undefined && Object.keys(event.patch).length > 0 ? `: ${textOf(event.patch)}` : ''

const textOf = ({ value, parent, ...fields }: Fields): string =>
  [
    ...(parent === undefined ? [] : [`to ${parent}`]),
    ...Object.values(fields).map(String),
    ...(value === undefined ? [] : [value.sealed.slice('v1:'.length)]),
  ].join(' ')
