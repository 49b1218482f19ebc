import { layers } from './0001-layers.ts'
import { compare } from './0002-compare.ts'
import { moves } from './0003-moves.ts'
import { sentTo } from './0004-sent-to.ts'
import { versions } from './0005-versions.ts'
import { followed } from './0006-followed.ts'
import { acts } from './0007-acts.ts'
import { batches } from './0008-batches.ts'
import { history } from './0009-history.ts'
import { memberSince } from './0010-member-since.ts'
import { compareSecrets } from './0011-compare-secrets.ts'
import { sought } from './0012-sought.ts'
import { seen } from './0013-seen.ts'
import { entries } from './0014-entries.ts'
import { superseded } from './0015-superseded.ts'
import { forgiven } from './0016-forgiven.ts'
import { replaced } from './0017-replaced.ts'
import { deleted } from './0018-deleted.ts'
import type { Migration } from './migration.ts'

/** Append only: `user_version` counts how many of these a file has seen. */
export const allMigrations: readonly Migration[] = [
  layers,
  compare,
  moves,
  sentTo,
  versions,
  followed,
  acts,
  batches,
  history,
  memberSince,
  compareSecrets,
  sought,
  seen,
  entries,
  superseded,
  forgiven,
  replaced,
  deleted,
]
