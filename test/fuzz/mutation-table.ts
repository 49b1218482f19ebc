/** One deliberate bug: `from` is in `file` exactly once, and `to` takes its place. */
export interface Mutation {
  bug: string
  file: string
  from: string
  to: string
  /** Where the named tests are that show it sooner than histories do: it may take two requests that cross in one certain way. */
  test?: string
}

const engine = 'electron/sync/engine'
const plan = 'electron/sync/plan'
const full = 'electron/sync/adapters/full'

/** Bugs that the seeded histories or the named tests must show. `test/fuzz/mutation-table.test.ts` holds the texts to the sources. */
export const mutations: readonly Mutation[] = [
  {
    bug: 'values are compared by their ciphertexts',
    file: 'electron/queue/fields.ts',
    from: 'return a.sealed === b.sealed || (a.tag !== null && a.tag === b.tag && a.keyId === b.keyId)',
    to: 'return a.sealed === b.sealed',
    test: 'test/sync/plan/rebase.test.ts',
  },
  {
    bug: 'a tag holds what it is the tag of',
    file: 'electron/cipher/workspace-cipher.ts',
    from: 'encryptValue(key, text), tag: equalityTag(tagKey, text)',
    to: 'encryptValue(key, text), tag: text',
    test: 'test/sync/batches.test.ts',
  },
  {
    bug: 'a value is not bound to its environment',
    file: 'electron/cipher/bound-value.ts',
    from: 'for (const part of [mark, workspaceId, environmentId, name,',
    to: 'for (const part of [mark, workspaceId, name,',
    test: 'test/cipher/bound-value.test.ts',
  },
  {
    bug: 'a value of another type or secrecy is taken',
    file: 'electron/cipher/verify-value.ts',
    from: "      return doubted(cipher, 'kind', kept.sealed, shown, memory)\n",
    to: '      return { value: kept, ...kind }\n',
    test: 'test/cipher/verify-value.test.ts',
  },
  {
    bug: 'an Unverified value opens like any other',
    file: 'electron/cipher/workspace-cipher.ts',
    from: 'if (isWiped || isUnverified(stored)) return null',
    to: 'if (isWiped) return null',
    test: 'test/app/unverified/forgeries.test.ts',
  },
  {
    bug: 'a superseded value that comes back is taken',
    file: 'electron/cipher/verify-value.ts',
    from: '  if (!isSuperseded(nonceOf(sealed))) return false\n',
    to: '  if (!isSuperseded(nonceOf(sealed)) || true) return false\n',
    test: 'test/app/unverified/forgeries.test.ts',
  },
  {
    bug: 'an answer confirms all changes of the row, not the one sent',
    file: `${plan}/plan-outcome.ts`,
    from: '    ...rebaseOnto(row, rest, facts),\n',
    to: "    ...rest.map((entry): Step => ({ do: 'advance', entry, event: { is: 'confirm' } })),\n",
  },
  {
    bug: 'the cursor is stored before its page, in another transaction',
    file: `${engine}/pull.ts`,
    from: '    const written = mirror.write((tx) => writePage(tx, page.value, isHeld, deps), { durable: false })\n',
    to: "    mirror.write((tx) => setState(tx, 'feed-cursor', page.value.cursor))\n    const written = mirror.write((tx) => writePage(tx, page.value, isHeld, deps), { durable: false })\n",
  },
  {
    bug: 'a page that an unanswered request held something back of is not read again',
    file: `${engine}/pull.ts`,
    from: "const holds = isHeld || written.includes('held')",
    to: 'const holds = isHeld',
  },
  {
    bug: 'a lost answer is taken for done',
    file: `${plan}/plan-outcome.ts`,
    from: "      return { is: 'stale', current: row }\n",
    to: "      return { is: 'confirmed', row }\n",
  },
  {
    bug: 'a create of unknown outcome is sent again without a read',
    file: `${plan}/plan-outcome.ts`,
    from: "        if (row !== null) return { is: 'confirmed', row }\n",
    to: "        if (row !== null && entry.id === '') return { is: 'confirmed', row }\n",
  },
  {
    bug: 'If-Match is not sent',
    file: `${full}/change-of.ts`,
    from: '(etag == null ? {} : { ifMatch: etag })',
    to: '(etag == null || etag !== null ? {} : { ifMatch: etag })',
  },
  {
    bug: 'a record without an ETag is written without a read first',
    file: `${full}/full-adapter.ts`,
    from: 'base !== null && base.etag === null && seen === null',
    to: "base !== null && base.etag === '' && seen === null",
  },
  {
    bug: 'a create is repeated under another id of its record',
    file: `${full}/change-of.ts`,
    from: "entry.kind === 'create' ? entry.remoteId :",
    to: "entry.kind === 'create' ? (entry.remoteId?.replace(/^0/, String(entry.attempts % 10)) ?? null) :",
  },
  {
    bug: 'a change the service refuses is dropped',
    file: `${plan}/plan-outcome.ts`,
    from: "    case 'refused':\n      return [reject(entry, outcome.message)]\n",
    to: "    case 'refused':\n      return advance({ is: 'confirm' })\n",
  },
  {
    bug: 'in a conflict mine is sent, and nobody asked',
    file: `${plan}/rebase.ts`,
    from: "if (conflicts.length > 0) return { do: 'conflict'",
    to: "if (conflicts.length > 9) return { do: 'conflict'",
  },
  {
    bug: 'in a conflict theirs is taken, and nobody asked',
    file: `${plan}/rebase.ts`,
    from: "if (conflicts.length > 0) return { do: 'conflict', conflict: { kind, remote: fields, by } }",
    to: "if (conflicts.length > 0) return { do: 'confirm' }",
  },
  {
    bug: 'a delete asks nobody whether the record was changed since',
    file: `${plan}/rebase.ts`,
    from: "if (isOther) return { do: 'conflict'",
    to: "if (isOther && by === '') return { do: 'conflict'",
  },
  {
    bug: 'a move over one of others is sent, and nobody asked',
    file: `${plan}/rebase.ts`,
    from: 'mergeRow(pickFields(base, touched), pickFields(wanted, touched), pickFields(fields, touched))',
    to: 'mergeRow(pickFields(base, touched), pickFields(wanted, touched), { ...pickFields(fields, touched), parent: undefined })',
    test: 'test/sync/plan/rebase.test.ts',
  },
  {
    bug: 'an edit of a moved row is forgotten when the row it was made on is merged',
    file: 'electron/queue/coalesce.ts',
    from: 'const patch = changedFields(base ?? {}, { ...last.patch, ...next.patch })',
    to: 'const patch = changedFields(base ?? {}, last.patch.parent === undefined ? { ...last.patch, ...next.patch } : last.patch)',
    test: 'test/sync/moves.test.ts',
  },
  {
    bug: 'moving on forgets where the row came from',
    file: 'electron/queue/coalesce.ts',
    from: 'const left = last.leaves.length > 0 ? last.leaves : (next.leaves ?? [])',
    to: 'const left = next.leaves ?? []',
    test: 'test/queue/coalesce.test.ts',
  },
  {
    bug: 'a move does not wait for what is queued where it leaves',
    file: `${plan}/gate.ts`,
    from: 'return left === undefined || left === lane ? [lane] : [lane, left]',
    to: 'return [lane]',
    test: 'test/sync/plan/next-push.test.ts',
  },
  {
    bug: 'a deleted row takes the edits with it',
    file: `${plan}/plan-record.ts`,
    from: 'if (changes.length === 0 && !hasEditedDescendants(row.id, facts))',
    to: 'if (!hasEditedDescendants(row.id, facts))',
  },
  {
    bug: 'a deleted environment takes what was on its way out of it',
    file: `${plan}/plan-record.ts`,
    from: 'const isKept = deletion !== null && ',
    to: "const isKept = deletion?.by === '' && ",
    test: 'test/sync/moves.test.ts',
  },
  {
    bug: 'a question about a deleted environment is asked again for everything in it',
    file: `${plan}/plan-record.ts`,
    from: '  steps.push(...askOnce(row.id, facts))\n',
    to: '',
    test: 'test/sync/law.test.ts',
  },
  {
    bug: 'an edit is merged into a change that is under way',
    file: 'electron/queue/coalesce.ts',
    from: "if (last.kind === 'delete' || last.state === 'sending' || crossed)",
    to: "if (last.kind === 'delete' || crossed)",
    test: 'test/queue/coalesce.test.ts',
  },
  {
    bug: 'a change does not wait for its parent to be created',
    file: `${plan}/gate.ts`,
    from: "    for (const id of entry.ancestors) yield* hold('parent', this.#parents.get(id))\n",
    to: '',
    test: 'test/sync/plan/next-push.test.ts',
  },
  {
    bug: 'two changes of one name go in one request',
    file: `${plan}/gate.ts`,
    from: "    for (const claim of claimsOf(entry)) yield* hold('name', this.#claims.get(claim))\n",
    to: '',
    test: 'test/sync/plan/next-push.test.ts',
  },
  {
    bug: 'a snapshot or rollback waits for nothing before it',
    file: `${plan}/gate.ts`,
    from: "    if (barrier !== null) yield* hold('below', this.#below.get(barrier))\n",
    to: '',
    test: 'test/sync/plan/next-push.test.ts',
  },
  {
    bug: 'what is queued below a place that met another of its slug goes before the choice',
    file: `${plan}/gate.ts`,
    from: "(entry.kind === 'create' || isUndecided(entry))",
    to: "(entry.kind === 'create' || (isUndecided(entry) && entry.seq < 0))",
    test: 'test/sync/plan/next-push.test.ts',
  },
  {
    bug: 'the beginning of a long queue goes below a place that waits for a choice',
    file: `${plan}/next-push.ts`,
    from: 'const first = hasLateParent ? [] : readyOf(',
    to: 'const first = hasLateParent && entries < 0 ? [] : readyOf(',
    test: 'test/sync/plan/next-push.test.ts',
  },
  {
    bug: 'a rollback goes over what others did since the preview',
    file: `${plan}/plan-rollback.ts`,
    from: "return isAgreed ? 'agreed' : 'stale'",
    to: "return 'agreed'",
    test: 'test/sync/versions.test.ts',
  },
  {
    bug: 'a rollback is judged by what its user sees, and not by what the service has',
    file: `${engine}/rollback.ts`,
    from: "const now = foreseeFromBase(tx, entry.ancestors[0] ?? '', entry.rowId)",
    to: "const now = { ...foreseeFromBase(tx, entry.ancestors[0] ?? '', entry.rowId), fingerprint: agreed.fingerprint }",
    test: 'test/sync/versions.test.ts',
  },
  {
    bug: 'a deletion of an environment goes over what its user had not seen',
    file: `${engine}/push-entries.ts`,
    from: 'if (takesDescendants(entry) && hasNews(tx, entry)) {',
    to: 'if (takesDescendants(entry) && entry.attempts > 99 && hasNews(tx, entry)) {',
    test: 'test/sync/moves.test.ts',
  },
  {
    bug: 'a deletion of an environment goes without the cursor of what was seen',
    file: `${engine}/push-item.ts`,
    from: "seen: isOnParent ? getState(tx, 'feed-cursor') : null",
    to: "seen: isOnParent && entry.seq < 0 ? getState(tx, 'feed-cursor') : null",
    test: 'test/sync/versions.test.ts',
  },
  {
    bug: 'a role is given over one that the user had not seen',
    file: `${plan}/plan-operation-outcome.ts`,
    from: 'if (outcome.member.roleId !== detail.base) return',
    to: "if (outcome.member.roleId === '') return",
    test: 'test/sync/members.test.ts',
  },
  {
    bug: 'a lane that fails here leaves the others under way',
    file: `${engine}/push-entries.ts`,
    from: 'await Promise.allSettled(pushes.map((push) => sendPush(deps, push, options)))',
    to: "(await Promise.all(pushes.map((push) => sendPush(deps, push, options)))).map((value) => ({ status: 'fulfilled' as const, value, reason: null }))",
    test: 'test/sync/law.test.ts',
  },
  {
    bug: 'a key that comes after a refused one is not asked which workspace it opens',
    file: `${engine}/create-engine.ts`,
    from: "    if (health.phase === 'paused') memory.isIdentified = false\n",
    to: '',
    test: 'test/sync/engine.test.ts',
  },
  {
    bug: 'an answer is written to an entry that was amended while it was under way',
    file: `${engine}/write-outcomes.ts`,
    from: "if (entry?.state !== 'sending' || entry.id !== sent.id) {",
    to: 'if (entry === null) {',
    test: 'test/sync/regressions.test.ts',
  },
  {
    bug: 'the screen is not brought up to date after an answer',
    file: `${plan}/plan-outcome.ts`,
    from: "    ...rebaseOnto(row, rest, facts),\n    { do: 'refresh', rowId: row.id },\n",
    to: '    ...rebaseOnto(row, rest, facts),\n',
    test: 'test/sync/batches.test.ts',
  },
  {
    bug: 'what is deleted below a place that was created again comes back unasked',
    file: `${plan}/plan-record.ts`,
    from: "  if (claim.conflict?.kind === 'deleted-remotely' && !isBack) steps.push(...askDescendants(row.id, claim.conflict, facts))\n",
    to: '',
    test: 'test/sync/regressions.test.ts',
  },
  {
    bug: 'an editor saves over what others wrote since it was opened',
    file: 'electron/app/variables/edit-variable.ts',
    from: '  const saw = seenRow(tx, id, seen)\n  const row = getWorking(tx, id) ?? saw\n',
    to: '  const saw = seenRow(tx, id, seen) && getWorking(tx, id)\n  const row = getWorking(tx, id) ?? saw\n',
  },
  {
    bug: 'a cell of a comparison or a copy goes over what came since it was shown',
    file: 'electron/app/variables/put-variable.ts',
    from: 'const base = seenRow(tx, existing.id, seen)?.fields ?? null',
    to: 'const base = seenRow(tx, existing.id, seen)?.fields === null ? null : existing.fields',
  },
  {
    bug: 'the adder goes over a variable of its name that has just come',
    file: 'electron/app/variables/edit-variable.ts',
    from: "  if (findWorking(tx, 'variable', environment.id, input.name) !== null) return taken('variable', input.name)\n",
    to: `  const there = findWorking(tx, 'variable', environment.id, input.name)
  if (there !== null) {
    const path = { ancestors: ancestorsOf(environment), base: there.fields }
    enqueue(tx, { kind: 'update', rowKind: 'variable', rowId: there.id, patch: { value: cipher.seal(input.value) }, ...path }, context)
    return ok({ id: there.id })
  }
`,
  },
  {
    bug: 'a bulk change goes over what others changed since',
    file: 'electron/app/bulk/update-many.ts',
    from: 'const base = seenRow(tx, id, seen)?.fields ?? null',
    to: 'const base = seenRow(tx, id, seen) && row.fields',
    test: 'test/app/seen/edits.test.ts',
  },
  {
    bug: 'a restored value goes over what others wrote since the history was shown',
    file: 'electron/app/history/restore-value.ts',
    from: 'const base = seenRow(tx, row.id, seen)?.fields ?? null',
    to: 'const base = seenRow(tx, row.id, seen) && row.fields',
  },
  {
    bug: 'an import goes over what came since its preview',
    file: 'electron/app/imports/apply-import.ts',
    from: '    id: line.existing.id,\n    seen,\n',
    to: '    id: line.existing.id,\n    seen: Math.max(seen, Number.MAX_SAFE_INTEGER),\n',
  },
  {
    bug: 'a "replace" import deletes what others changed since its preview',
    file: 'electron/app/imports/apply-import.ts',
    from: 'deleteVariable(tx, context, existing.id, seen)',
    to: 'deleteVariable(tx, context, existing.id, Math.max(seen, Number.MAX_SAFE_INTEGER))',
  },
  {
    bug: 'a "replace" import deletes what came since its preview',
    file: 'electron/app/imports/apply-import.ts',
    from: "if (!isAsPlanned || seenRow(tx, existing.id, seen) === null) return ok('unchanged')\n    deleteVariable(tx, context, existing.id, seen)",
    to: "if (!isAsPlanned) return ok('unchanged')\n    deleteVariable(tx, context, existing.id, Math.max(seen, Number.MAX_SAFE_INTEGER))",
  },
  {
    bug: 'a deletion of a variable takes along what others wrote since it was shown',
    file: 'electron/app/edits/drop-parked.ts',
    from: '  const saw = seenRow(tx, row.id, seen)\n',
    to: '  const saw = seenRow(tx, row.id, seen) && getWorking(tx, row.id)\n',
  },
  {
    bug: 'a deletion of a variable in conflict, also by a "replace" import, takes theirs along',
    file: 'electron/app/edits/drop-parked.ts',
    from: 'pickFields(asked.base ?? row.fields, inQuestion)',
    to: 'pickFields(asked.conflict?.remote ?? row.fields, inQuestion)',
  },
  {
    bug: 'a project or environment is deleted with what came into it since it was shown',
    file: 'electron/app/edits/edit-parents.ts',
    from: '  const news = newsSentence(kind, newsSince(tx, id, seen))\n',
    to: '  const news = newsSentence(kind, newsSince(tx, id, Math.max(seen, Number.MAX_SAFE_INTEGER)))\n',
    test: 'test/app/seen/deletions.test.ts',
  },
  {
    bug: 'a choice decides over a value that was not shown',
    file: 'electron/app/queue/queue-handlers.ts',
    from: 'if (fingerprintOf(tx, change) !== fingerprint) return',
    to: "if (fingerprintOf(tx, change) === '') return",
  },
  {
    bug: 'a choice about a deleted environment goes over what came after it was shown',
    file: 'electron/app/queue/describe-change.ts',
    from: "entry.conflict?.kind === 'changed-below' ? newestRev(tx) : null",
    to: "entry.conflict?.kind === 'changed-below' && newestRev(tx) < 0 ? newestRev(tx) : null",
  },
  {
    bug: 'what others deleted comes back with its unsent edits alone',
    file: 'electron/app/queue/restore-parent.ts',
    from: "return profile?.kind === 'full' ?",
    to: "return profile?.kind !== 'full' && profile?.kind !== 'basic' ?",
    test: 'test/app/deleted/restore-parent.test.ts',
  },
  {
    bug: 'a variable moved over another leaves both',
    file: 'electron/app/variables/move-variable.ts',
    from: '  if (existing !== null) deleteVariable(tx, context, existing.id, seenThere)\n',
    to: '',
    test: 'test/sync/moves.test.ts',
  },
  {
    bug: 'a variable moved over another deletes what others made of that one since it was shown',
    file: 'electron/app/variables/move-variable.ts',
    from: 'deleteVariable(tx, context, existing.id, seenThere)',
    to: 'deleteVariable(tx, context, existing.id, Math.max(seenThere, Number.MAX_SAFE_INTEGER))',
  },
  {
    bug: 'a moved variable that is deleted where it is now stays where it was',
    file: 'electron/app/variables/edit-variable.ts',
    from: '  const base = dropParked(tx, row, seen)\n  const left = getWorking(tx, id)\n',
    to: '  const base = dropParked(tx, row, seen)\n  if (changesOfRow(tx, id).some(({ leaves }) => leaves.length > 0)) return\n  const left = getWorking(tx, id)\n',
    test: 'test/sync/moves.test.ts',
  },
  {
    bug: 'a move is sent as a new record, and the old one stays',
    file: 'electron/app/variables/move-variable.ts',
    from: "enqueue(tx, { kind: 'update', rowKind: 'variable', rowId: row.id, ...path, patch, base: saw && mergeableOf(saw) }, context)",
    to: "enqueue(tx, { kind: 'create', rowKind: 'variable', rowId: context.newId(), ancestors: path.ancestors, patch: row.fields, base: null }, context)",
    test: 'test/sync/moves.test.ts',
  },
  {
    bug: 'a deletion by others takes along what its user edited and others moved there meanwhile',
    file: `${plan}/plan-record.ts`,
    from: 'if (deletion.seen === null || !hasEditedNews(row.id, deletion.seen, facts)) return removeRow(',
    to: 'if (deletion.seen === null || !hasEditedNews(row.id, deletion.seen, facts) || changes.length > 0) return removeRow(',
    test: 'test/sync/moves.test.ts',
  },
]
