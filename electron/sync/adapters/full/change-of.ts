import type { ChangeInput } from '../../../../service/protocol/changes.ts'
import type { Change, Operation } from '../../../queue/entry.ts'
import { isChange } from '../../../queue/entry.ts'
import type { Fields } from '../../../queue/fields.ts'
import type { Outcome, PushItem } from '../../port.ts'
import type { SealFields } from '../shared/value-rules.ts'

type Made = { ok: true; value: ChangeInput } | { ok: false; error: Outcome }

const made = (value: ChangeInput): Made => ({ ok: true, value })
const unknownRecord: Made = { ok: false, error: { is: 'missing', what: 'record', message: 'The service no longer has this record.' } }
const refused = (message: string): Made => ({ ok: false, error: { is: 'refused', message } })
const unknownParent: Made = {
  ok: false,
  error: { is: 'missing', what: 'parent', message: 'Its project or environment doesn’t exist on the service.' },
}

/** An entry as a change of `POST /changes`, or its outcome if there is nothing to send. */
export function changeOf(item: PushItem, seal: SealFields): Made {
  const { entry } = item
  return isChange(entry) ? changeOfRow(entry, item, seal) : changeOfOperation(entry, item)
}

/** The id of the record that an entry changes or makes; null: the service does not have it. */
export function recordIdOf({ entry, base, member, remoteId }: PushItem): string | null {
  if (isChange(entry)) return entry.kind === 'create' ? entry.remoteId : (base?.remoteId ?? null)
  if (entry.kind === 'snapshot') return entry.detail.remoteId
  // The member of an invitation gets the id of the entry.
  if (entry.kind === 'invite') return entry.id
  return entry.kind === 'rollback' ? remoteId : (member?.remoteId ?? remoteId)
}

function changeOfRow(entry: Change, item: PushItem, seal: SealFields): Made {
  const id = recordIdOf(item)
  if (id === null) return unknownRecord
  const { rowKind: resource, patch } = entry
  const parentId = item.parent?.remoteId
  if (entry.kind === 'delete') {
    if (resource === 'variable' || item.seen === null) return made({ op: 'delete', resource, id, ...ifMatch(item.base?.etag) })
    return made({ op: 'delete', resource, id, seen: item.seen })
  }
  if (entry.kind === 'update') {
    const match = ifMatch(item.base?.etag)
    if (resource !== 'variable') return made({ op: 'update', resource, id, ...match, fields: placeFields(patch) })
    if (patch.parent !== undefined && parentId === undefined) return unknownParent
    const fields = seal(entry, item)
    if (!fields.ok) return refused(fields.problem)
    return made({ op: 'update', resource, id, ...match, fields: { ...fields.value, ...(patch.parent !== undefined && { parentId }) } })
  }
  const { name = '', slug = '' } = patch
  if (resource === 'project') return made({ op: 'create', resource, id, fields: { name, slug } })
  if (parentId === undefined) return unknownParent
  if (resource === 'environment') return made({ op: 'create', resource, id, parentId, fields: { name, slug } })
  const fields = seal(entry, item)
  if (!fields.ok) return refused(fields.problem)
  return made({ op: 'create', resource, id, parentId, fields: { ...fields.value, name, value: fields.value.value ?? '' } })
}

function changeOfOperation(entry: Operation, item: PushItem): Made {
  const id = recordIdOf(item)
  if (id === null) return unknownRecord
  switch (entry.kind) {
    case 'snapshot': {
      if (item.parent === null) return unknownParent
      const { label, note } = entry.detail
      return made({ op: 'create', resource: 'version', id, parentId: item.parent.remoteId, fields: { label, note } })
    }
    case 'rollback':
      return made({ op: 'rollback', resource: 'version', id, ...(item.seen === null ? {} : { seen: item.seen }) })
    case 'invite':
    case 'set-role': {
      // The service refuses unknown roles.
      const roleId = entry.detail.roleId as RoleId
      if (entry.kind === 'set-role')
        return made({ op: 'update', resource: 'member', id, ...ifMatch(item.member?.etag), fields: { roleId } })
      return made({ op: 'create', resource: 'member', id, fields: { email: entry.detail.email, roleId } })
    }
    case 'remove':
      return made({ op: 'delete', resource: 'member', id })
  }
}

type RoleId = Extract<ChangeInput, { op: 'update'; resource: 'member' }>['fields']['roleId']

const ifMatch = (etag: string | null | undefined) => (etag == null ? {} : { ifMatch: etag })

const placeFields = ({ name, slug }: Fields) => ({ name, slug })
