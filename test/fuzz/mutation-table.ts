const effects = 'electron/sync/effects'

/** One deliberate bug: `from` stands in `file` exactly once, and `to` takes its place. */
export interface Mutation {
  bug: string
  file: string
  from: string
  to: string
  /** Where the named tests are that show it, when no history does: it may take two requests that cross in one certain way. */
  test?: string
}

/** Bugs that the seeded histories or the named tests must show. `test/fuzz/mutation-table.test.ts` holds the texts to the sources. */
export const mutations: readonly Mutation[] = [
  {
    bug: 'a write goes out without a look first',
    file: `${effects}/push-change.ts`,
    from: 'if (!lookFirst) return send',
    to: "if (!lookFirst || started.change.id !== '') return send",
  },
  {
    bug: 'values are compared by their ciphertexts',
    file: 'electron/sync/fields.ts',
    from: 'return a.sealed === b.sealed || (a.tag !== null && a.tag === b.tag && a.keyId === b.keyId)',
    to: 'return a.sealed === b.sealed',
    test: 'test/sync/servers-followed.test.ts',
  },
  {
    bug: 'an answer settles all changes of the row, not the one sent',
    file: `${effects}/apply-theirs.ts`,
    from: '  dropChange(tx, change.id)\n  if (answer === null) {',
    to: '  for (const own of changesOfRow(tx, change.rowId)) dropChange(tx, own.id)\n  if (answer === null) {',
  },
  {
    bug: 'the cursor is stored before its page, in another transaction',
    file: `${effects}/pull-feed.ts`,
    from: 'const changed = deps.mirror.write((tx) => {',
    to: "deps.mirror.write((tx) => setMeta(tx, 'feed-cursor', nextCursor))\n    const changed = deps.mirror.write((tx) => {",
  },
  {
    bug: 'what a crash left unknown is taken for done',
    file: `${effects}/push-change.ts`,
    from: 'export async function recoverChange(deps: EngineDeps, change: Change): Promise<Pushed> {',
    to: "export async function recoverChange(deps: EngineDeps, change: Change): Promise<Pushed> {\n  if (change.kind === 'update') return acted(deps, { ...change, kind: 'delete' }, null)",
  },
  {
    bug: 'If-Match is not sent',
    file: `${effects}/send-change.ts`,
    from: '{ ifMatch: base?.etag ?? undefined, idempotencyKey',
    to: '{ ifMatch: undefined, idempotencyKey',
  },
  {
    bug: 'a lost answer counts as not sent, and the change goes out under a new Idempotency-Key',
    file: `${effects}/send-change.ts`,
    from: 'idempotencyKey: change.id }',
    to: 'idempotencyKey: `${change.id}-${change.attempts}` }',
  },
  {
    bug: 'a change the server refuses is dropped',
    file: `${effects}/push-change.ts`,
    from: "else park(deps, { ...change, sentTo: null }, 'failed', error.message)",
    to: 'else acted(deps, change, null)',
  },
  {
    bug: 'in a conflict mine is sent, and nobody asked',
    file: 'electron/sync/rebase.ts',
    from: "if (conflicts.length > 0) return { do: 'conflict'",
    to: "if (conflicts.length > 9) return { do: 'conflict'",
  },
  {
    bug: 'in a conflict theirs is taken, and nobody asked',
    file: 'electron/sync/rebase.ts',
    from: "if (conflicts.length > 0) return { do: 'conflict', conflict: { kind: 'fields', theirs: fields, by } }",
    to: "if (conflicts.length > 0) return { do: 'settle' }",
  },
  {
    bug: 'a row that is gone there takes the edits with it',
    file: `${effects}/apply-theirs.ts`,
    from: 'const edited = changes.length > 0 || hasEditsBelow(tx, row)',
    to: 'const edited = hasEditsBelow(tx, row)',
  },
  {
    bug: 'what a list does not show is gone, without a read of its own',
    file: `${effects}/confirm-gone.ts`,
    from: 'if (looked.value === null) missing.push(row)',
    to: 'applyGoneUnseen(deps, row)',
    test: 'test/sync/servers.test.ts',
  },
  {
    bug: 'an edit is merged into a change that was attempted',
    file: 'electron/sync/coalesce.ts',
    from: '!isAttempted(last)) && !crossed',
    to: "last.state !== 'sending') && !crossed",
    test: 'test/sync/coalesce.test.ts',
  },
  {
    bug: 'a delete of a row whose creation was attempted is nothing',
    file: 'electron/sync/coalesce.ts',
    from: "const mayMerge = last.kind !== 'delete' && (isParked(last) ? !mayHaveActed(last) : !isAttempted(last)) && !crossed",
    to: "const mayMerge = last.kind !== 'delete' && !crossed",
  },
  {
    bug: 'a change does not wait for its parent to be created',
    file: 'electron/sync/eligible.ts',
    from: '!isMoved && !change.ancestors.some((id) => notThere.has(id))',
    to: '!isMoved',
    test: 'test/sync/eligible.test.ts',
  },
  {
    bug: 'a create of unknown outcome is sent again where its environment is now, not where it was sent',
    file: `${effects}/push-change.ts`,
    from: "change.kind === 'create' ? (change.sentTo ?? place) : null",
    to: "change.kind === 'create' ? place : null",
  },
  {
    bug: "what was made in another's place stays there",
    file: `${effects}/push-change.ts`,
    from: 'const taken = await takeBack(deps, change, answer, place)',
    to: 'const taken = { ok: true as const, value: null, error: null as never }',
  },
  {
    bug: 'the answer to a repeated create is taken for what is there now',
    file: `${effects}/push-change.ts`,
    from: 'if (change.attempts === 1) return acted(deps, change, answer)',
    to: 'if (change.attempts >= 1) return acted(deps, change, answer)',
  },
  {
    bug: 'a batch is repeated under a new Idempotency-Key',
    file: `${effects}/push-batch.ts`,
    from: '{ idempotencyKey: batch.id }',
    to: '{ idempotencyKey: deps.newId() }',
  },
  {
    bug: 'a new variable in a batch goes over one that has the name',
    file: `${effects}/push-batch.ts`,
    from: "(kind === 'create' ? { ifNoneMatch: '*' as const } : { ifMatch: base?.etag ?? '' })",
    to: "(kind === 'create' ? {} : { ifMatch: base?.etag ?? '' })",
  },
  {
    bug: 'a new value in a batch goes over whatever is there',
    file: `${effects}/push-batch.ts`,
    from: "(kind === 'create' ? { ifNoneMatch: '*' as const } : { ifMatch: base?.etag ?? '' })",
    to: "(kind === 'create' ? { ifNoneMatch: '*' as const } : {})",
  },
  {
    bug: 'two changes of one row or name go in one batch',
    file: 'electron/sync/eligible.ts',
    from: 'characters !== null && !waiting.holdsBesidesItsLane(change) && fits',
    to: 'characters !== null && fits',
  },
  {
    bug: 'the answer to a repeated batch is taken for what is there now',
    file: `${effects}/push-batch.ts`,
    from: 'if (!isStray && change.attempts > 1) {',
    to: 'if (!isStray && change.attempts > 99) {',
  },
  {
    bug: 'a batch of unknown outcome is taken for never sent',
    file: `${effects}/push-batch.ts`,
    from: "if (error.outcome === 'unknown') return waits(deps, members, error, true)",
    to: "if (error.outcome === 'unknown') { store(deps, members, (change) => ({ ...neverSent(change), id: deps.newId(), nextAttemptAt: deps.now() + 60_000 })); return { do: 'wait', error } }",
  },
  {
    bug: 'a move deletes though its copy has not arrived',
    file: `${effects}/push-change.ts`,
    from: "if (change.kind === 'delete' && change.after != null && !same",
    to: "if (change.kind === 'delete' && change.after === '' && !same",
  },
  {
    bug: 'what was chosen for a moved row in conflict still waits for its copy',
    file: 'electron/app/queue/resolve-conflict.ts',
    from: '  after: null,\n',
    to: '',
  },
  {
    bug: 'the screen is not brought up to date after an answer',
    file: `${effects}/apply-theirs.ts`,
    from: 'rebaseRow(tx, changesOfRow(tx, change.rowId), { fields, by: answer.updatedBy })\n  refreshRow(tx, change.rowId)',
    to: 'rebaseRow(tx, changesOfRow(tx, change.rowId), { fields, by: answer.updatedBy })',
  },
  {
    bug: 'a tag holds what it is the tag of',
    file: 'electron/cipher/workspace-cipher.ts',
    from: 'tag: equalityTag(tagKey, text), keyId: id })',
    to: 'tag: text, keyId: id })',
  },
  {
    bug: 'what is not found under an old slug is gone',
    file: `${effects}/find-record.ts`,
    from: 'const above = await checkAbove(deps, change.ancestors)',
    to: "const above = ok<'there' | 'moved' | BaseRow>('there')",
  },
  {
    bug: 'a delete asks nobody whether the record was changed since',
    file: 'electron/sync/rebase.ts',
    from: "if (moved) return { do: 'conflict'",
    to: "if (moved && change.seq < 0) return { do: 'conflict'",
  },
  {
    bug: 'a rollback goes over what others did since the preview',
    file: `${effects}/acts/push-rollback.ts`,
    from: 'const isAgreed = now.fingerprint === act.detail.agreed.fingerprint',
    to: "const isAgreed = act.detail.agreed.fingerprint !== ''",
  },
  {
    bug: 'a rollback is judged by what its user sees, and not by what the server has',
    file: `${effects}/acts/push-rollback.ts`,
    from: 'import { foreseeFromBase, foreseenOf }',
    to: 'import { foreseeFromWorking as foreseeFromBase, foreseenOf }',
    test: 'test/sync/versions.test.ts',
  },
  {
    bug: 'a snapshot of unknown outcome is sent again without a look',
    file: `${effects}/acts/push-snapshot.ts`,
    from: 'export async function lookForSnapshot(deps: EngineDeps, act: SnapshotAct, error: RemoteError | null): Promise<Pushed> {\n',
    to: 'export async function lookForSnapshot(deps: EngineDeps, act: SnapshotAct, error: RemoteError | null): Promise<Pushed> {\n  if (act.seq > 0) return error === null ? requeueAct(deps, act, null) : retryActLater(deps, act, error)\n',
  },
  {
    bug: 'an invitation of unknown outcome is sent again without a look',
    file: `${effects}/acts/push-member.ts`,
    from: '  const listed = await everyPage((cursor) => deps.remote.listMembers(cursor))\n  if (!listed.ok) return isNoList',
    to: "  if (act.kind === 'invite') return error === null ? requeueAct(deps, act, null) : retryActLater(deps, act, error)\n  const listed = await everyPage((cursor) => deps.remote.listMembers(cursor))\n  if (!listed.ok) return isNoList",
  },
  {
    bug: 'a role is given over one that the user had not seen',
    file: `${effects}/acts/push-member.ts`,
    from: 'if (member.role_id !== act.detail.was) {',
    to: "if (member.role_id === '') {",
  },
  {
    bug: 'a snapshot or rollback waits for nothing before it',
    file: 'electron/sync/eligible.ts',
    from: "if (change.rowKind === 'version') return change.ancestors[0] ?? null",
    to: "if (change.rowKind === 'version') return null",
  },
  {
    bug: 'what was typed after a snapshot is merged with what was typed before when its row has to be made again',
    file: `${effects}/apply-theirs.ts`,
    from: 'const until = barrier === undefined ? changes :',
    to: 'const until = barrier === undefined || barrier.seq > 0 ? changes :',
  },
  {
    bug: 'what is gone below a place that was made again comes back unasked',
    file: `${effects}/apply-theirs.ts`,
    from: "if (claim.conflict?.kind === 'deleted-remotely') askBelow",
    to: "if (claim.conflict?.kind === 'deleted-remotely' && claim.seq < 0) askBelow",
  },
  {
    bug: 'what is queued below a place that met another of its slug goes before the choice',
    file: 'electron/sync/eligible.ts',
    from: "change.kind === 'create' || isUndecided(change)",
    to: "change.kind === 'create'",
  },
  {
    bug: 'an older edit goes over the answer to a conflict',
    file: 'electron/app/queue/resolve-conflict.ts',
    from: '  outdateBehind(tx, context, change, edited)\n',
    to: '',
  },
  {
    bug: 'a rollback goes by a list of a place whose slug another change has just learned anew',
    file: `${effects}/acts/re-read-environment.ts`,
    from: "if (!deps.mirror.snapshot((tx) => isStillAt(tx, { rowKind: 'variable', ancestors }, place))) continue",
    to: '',
    test: 'test/sync/versions.test.ts',
  },
  {
    bug: 'a snapshot that finds nothing under such a slug is taken for one that the service cannot do',
    file: `${effects}/acts/push-snapshot.ts`,
    from: "stand === 'there' && deps.mirror.snapshot((tx) => isStillAt(tx, inside(act), place))",
    to: "stand === 'there'",
    test: 'test/sync/versions.test.ts',
  },
  {
    bug: 'what is not found under such a slug is gone',
    file: `${effects}/confirm-gone.ts`,
    from: "(stand === 'there' && !isSame)",
    to: "(stand === 'there' && !isSame && rows.length < 0)",
    test: 'test/sync/versions.test.ts',
  },
  {
    bug: 'a snapshot goes out though the list before it could not be read',
    file: `${effects}/acts/push-snapshot.ts`,
    from: 'if (!listed.ok) return hasNoList(listed.error) ? ok(detail) : listed',
    to: 'if (!listed.ok) return ok(detail)',
    test: 'test/sync/versions.test.ts',
  },
  {
    bug: 'a role is given though nobody could look whether somebody else gave one',
    file: `${effects}/acts/push-member.ts`,
    from: 'if (!listed.ok && !isNoList(listed.error)) return listed.error',
    to: '',
    test: 'test/sync/members.test.ts',
  },
  {
    bug: 'somebody who is not in a list counts as removed',
    file: `${effects}/acts/push-member.ts`,
    from: "member === null && error?.kind === 'missing' ?",
    to: 'member === null ?',
    test: 'test/sync/members.test.ts',
  },
  {
    bug: 'a lane that fails here leaves the others under way',
    file: `${effects}/create-engine.ts`,
    from: 'await Promise.allSettled(batches.map((batch) => pushOne(batch)))',
    to: "(await Promise.all(batches.map((batch) => pushOne(batch)))).map((value) => ({ status: 'fulfilled' as const, value, reason: null }))",
    test: 'test/sync/law.test.ts',
  },
  {
    bug: 'a key that comes after a refused one is not asked which workspace it opens',
    file: `${effects}/create-engine.ts`,
    from: 'if (round.pause) verified = false',
    to: '',
    test: 'test/sync/engine.test.ts',
  },
  {
    bug: 'the beginning of a long queue goes below a place that waits for a choice',
    file: 'electron/sync/eligible.ts',
    from: "change.rowKind !== 'variable' && isNotThere(change))",
    to: "change.rowKind !== 'variable' && change.kind === 'create')",
    test: 'test/sync/eligible.test.ts',
  },
]
