import { expect, test } from 'vitest'
import { patienceMs } from './play-seeds.ts'
import { runSeed } from './run-seed.ts'
import type { Deck, Policy } from './world.ts'

const unnoted = 'a history that broke a promise while sync was built, kept though nobody wrote down how'

/**
 * Every seed that ever broke a promise, with what it showed. A history follows what the clients send, so that a later change of sync can
 * make another history of the same seed: what each showed has a test of its own as well, in `test/sync`.
 */
const pinned: readonly { seed: number; deck?: Deck; policy?: Policy; showed: string }[] = [
  { seed: 10, deck: 'operations', showed: 'a snapshot was taken though an edit before it had become a question in the same round' },
  { seed: 1074, deck: 'operations', showed: 'the same, for a variable to be made again' },
  { seed: 2000, deck: 'operations', showed: 'what was typed after a snapshot was in it, because its environment had to be made again' },
  { seed: 2050, deck: 'operations', showed: 'the same, without ETags' },
  { seed: 2073, deck: 'operations', showed: 'the model forgot that a snapshot which waits for the user holds up nobody' },
  { seed: 2127, deck: 'operations', showed: 'what was typed after a snapshot was in it, for a variable that somebody deleted' },
  { seed: 20, showed: 'a value typed to resolve a conflict was lost under an older edit that waited behind it, when the environment went' },
  { seed: 45, showed: unnoted },
  { seed: 54, showed: 'a write on a service whose ETags are not known yet to be heeded' },
  { seed: 89, showed: unnoted },
  { seed: 106, showed: unnoted },
  { seed: 116, showed: 'what was looked for under a slug that another lane had just learned anew was taken for gone' },
  { seed: 117, showed: unnoted },
  { seed: 3061, showed: unnoted },
  {
    seed: 8076,
    showed: 'variables below a project that got another slug in a conflict were sent to an environment that was never made there',
  },
  { seed: 30019, showed: unnoted },
  { seed: 200833, showed: 'the model took a variable that was made in the wrong place and taken back, without ETags, for one made twice' },
  { seed: 201393, showed: 'a value typed to resolve a conflict was lost under an older edit behind it' },
  { seed: 201612, showed: 'the same, after a crash' },
  { seed: 201667, showed: 'the same, with three clients' },
  { seed: 201716, showed: 'what was queued below a project that had met another of its slug was sent before the user had chosen' },
  { seed: 203140, showed: 'a value was told as vanished; which mend settled it is not written down' },
  { seed: 203052, showed: 'an environment of a project that met another of its slug was made in that one' },
  { seed: 300358, showed: 'the model took the delete of one variable for that of another one with the same value, which was moved' },
  { seed: 300524, showed: 'the model did not know that two users may both bring back what a third one deleted' },
  { seed: 210, deck: 'operations', showed: 'the model mixed up two snapshots that were under way at once' },
  { seed: 2227, deck: 'operations', showed: 'the model did not know that who makes the edits of a file again has seen all of it' },
  {
    seed: 410030,
    deck: 'operations',
    showed: 'several new variables were made and taken back for ever where another environment had the slug of one that was gone',
  },
  { seed: 400040, deck: 'operations', showed: 'the model did not know what a file of unsent edits sets first and deletes after that' },
  { seed: 410025, deck: 'operations', showed: 'the model did not know that a file of unsent edits may delete a place' },
  {
    seed: 500329,
    deck: 'operations',
    showed: 'a snapshot of an environment that was deleted and made again was taken of the new one without end',
  },
  { seed: 500652, deck: 'operations', showed: 'the model did not know that what a file of unsent edits sets goes over what its user sees' },
  {
    seed: 501831,
    deck: 'operations',
    showed: 'a rollback was sent over unseen work: its environment was looked for under a slug that another lane had just learned anew',
  },
  {
    seed: 501882,
    deck: 'operations',
    showed: 'the model did not know that a value brought back and discarded again stays given up, though an older edit held it',
  },
  { seed: 501405, deck: 'operations', showed: 'the same as 500329' },
  { seed: 502138, deck: 'operations', showed: 'the same as 500652' },
  { seed: 502203, deck: 'operations', showed: 'the same as 500652' },
  { seed: 502461, deck: 'operations', showed: 'the same as 501831' },
  { seed: 502894, deck: 'operations', showed: 'the same as 500652' },
  {
    seed: 600860,
    deck: 'operations',
    showed: 'the model did not know that a user may send a snapshot again of which one like it is there',
  },
  {
    seed: 700058,
    deck: 'operations',
    showed: 'the model did not know that a file of unsent edits makes whole rows again where they are not there',
  },
  {
    seed: 703065,
    deck: 'operations',
    showed: 'the model did not know that who never heard of having made a variable makes it again after a rollback removed it',
  },
  { seed: 707692, deck: 'operations', showed: 'the model did not know that a list without its end does not show all' },
  { seed: 707788, deck: 'operations', showed: 'an environment was taken for gone while its project got another slug' },
  { seed: 708072, deck: 'operations', showed: 'the same as 707788' },
  {
    seed: 820403,
    deck: 'all',
    showed: 'a rollback to a version of an environment that a repair had made again rolled back the old one, which nobody had looked at',
  },
  { seed: 900333, deck: 'all', showed: 'a workspace key was tried on what another workspace holds' },
  { seed: 114, deck: 'all', showed: 'a client of the model that crashed beside a probe waited for itself without end' },
  { seed: 800520, deck: 'all', showed: 'the model did not know that a deletion worked out by a repair is sent when its user says so' },
  { seed: 13, deck: 'all', showed: 'the model asked a client what its service offers in a place that the client does not have' },
  { seed: 34, deck: 'all', showed: 'a service was asked what it offers with a key that no sync had tried yet' },
  { seed: 5000, deck: 'all', showed: 'the model did not know that a version is asked for by its id with any key' },
  { seed: 6021, deck: 'all', showed: 'the model did not know that a repaired database counts its queue anew' },
  { seed: 800508, deck: 'all', showed: 'two records that bore one name for a while stopped the sync of a service that lists nothing' },
  { seed: 821032, deck: 'all', showed: 'the same as 820403' },
  {
    seed: 821273,
    deck: 'all',
    showed: 'the model did not know that a deletion that a repair saved goes over what is known, when it is sent again',
  },
  { seed: 821423, deck: 'all', showed: 'the same as 821273' },
  { seed: 830374, deck: 'all', showed: 'the model did not know that a file of unsent edits answers a question that is open' },
  { seed: 830835, deck: 'all', showed: 'the model did not know that a deletion of a place, too, may be worked out by a repair' },
  { seed: 831949, deck: 'all', showed: 'an undone deletion asked again what an edit had answered meanwhile' },
  { seed: 840198, deck: 'all', showed: 'an edit whose record a repair forgot was made again beside it once its user had renamed it' },
  {
    seed: 1200955,
    deck: 'all',
    showed: 'the model did not know that a value typed into what was deleted meanwhile is sent first, and copied by who sees it',
  },
  {
    seed: 1201322,
    deck: 'all',
    showed: 'the model did not know that what was made in an environment that took the slug of another is left to who edited it there',
  },
  {
    seed: 1204567,
    deck: 'all',
    showed:
      'the model did not know that without Idempotency-Keys an invitation is sent again to whom somebody removed before its answer came',
  },
  {
    seed: 1205860,
    deck: 'all',
    showed: 'the model did not know that what was moved is deleted with what was typed over it since and waited for its user',
  },
  {
    seed: 1210968,
    deck: 'all',
    showed: 'a request of unknown outcome was taken up as it was when the round began, over what had become of it since: an edit was lost',
  },
  { seed: 1211070, deck: 'all', showed: 'the model did not know that an invitation that met its own member becomes a change of role' },
  {
    seed: 1212701,
    deck: 'all',
    showed:
      'the model did not know that a place that a repair forgot, and that somebody gave another slug, is made again with all below it',
  },
  {
    seed: 1214074,
    deck: 'all',
    showed: 'the model took a look at one environment for a look at another, which was rolled back',
  },
  {
    seed: 1215144,
    deck: 'all',
    showed: 'the model did not know that who took theirs has seen it when the next question about the row comes',
  },
  {
    seed: 1217114,
    deck: 'all',
    showed: 'the model did not know that what waits behind a change on its row goes over what was chosen for that',
  },
  { seed: 1208762, deck: 'all', showed: 'the same as 1201322' },
  { seed: 2002214, deck: 'all', showed: 'an undone deletion put back what others had written over meanwhile' },
  {
    seed: 2001195,
    deck: 'all',
    showed: 'a value typed into what somebody moved into a deleted environment was not even in the history once that was gone',
  },
  { seed: 2001234, deck: 'all', showed: 'the model took what a repair creates again for typed after a snapshot, which it was not' },
  { seed: 2000897, deck: 'all', showed: 'the model did not know that to edit what a repair parked is to send it' },
  { seed: 800625, deck: 'all', showed: 'a preview of a rollback did not say that a service lists nothing' },
  { seed: 4000936, deck: 'all', showed: 'what was typed into a create was lost to an earlier request of it that arrived late' },
  {
    seed: 4000755,
    deck: 'all',
    showed: 'what was no longer tracked went from a service that tells of all, and came back without its parent',
  },
  { seed: 3002743, deck: 'all', showed: 'a question about a variable was forgotten when its environment was deleted and restored' },
  {
    seed: 5000389,
    deck: 'all',
    showed: 'a question went on showing what a record was before a create of its user turned out to be that record',
  },
  { seed: 6000793, deck: 'all', showed: 'deleted in conflict, a value that was shown under another name went unasked' },
  { seed: 6001091, deck: 'all', showed: 'the same as 6000793' },
  { seed: 6001600, deck: 'all', policy: 'bound', showed: 'the same as 6000793' },
  { seed: 6000226, deck: 'all', showed: 'an old screen wrote over what its user had uncovered by discarding a change in conflict' },
  { seed: 6001656, deck: 'all', showed: 'the same as 6000226, by a deletion' },
  {
    seed: 5800085,
    deck: 'all',
    showed: 'an edit back to what was there before a question, taken back, put mine over theirs unasked',
  },
  {
    seed: 6000005,
    deck: 'all',
    showed: 'the model did not know that a snapshot goes with a place that its user deletes, where others deleted it too',
  },
  {
    seed: 6000126,
    deck: 'all',
    policy: 'upgraded',
    showed: 'the model did not know that a version from before values were bound is shown without them',
  },
  { seed: 5000671, deck: 'all', policy: 'upgraded', showed: 'the same as 6000126' },
  { seed: 6001496, deck: 'all', policy: 'upgraded', showed: 'the same as 6000126' },
  { seed: 3000419, deck: 'all', showed: 'what was under way about a name that its user stopped tracking came back, without its parent' },
  {
    seed: 3000736,
    deck: 'all',
    showed: 'the model did not know that a name discarded with its row is given up, though another row held it',
  },
  {
    seed: 7000043,
    deck: 'all',
    showed:
      'a variable that others deleted was to be created where its user had moved it after a snapshot of that environment, before the snapshot',
  },
  { seed: 238, deck: 'all', showed: 'deleted behind a rename in question, a value that no screen had shown went unasked' },
  { seed: 239, deck: 'all', showed: 'a question about a variable that others had moved away went with the environment where it was' },
  {
    seed: 9200037,
    deck: 'all',
    showed: 'a question about a value was forgotten when its row was deleted and came back, behind a move',
  },
  { seed: 9101044, deck: 'all', showed: 'an import went over what others had made and changed since its screen was drawn' },
  { seed: 9100177, deck: 'all', showed: 'the model did not know that a deletion in question, confirmed, deletes the place' },
  { seed: 9100199, deck: 'all', showed: 'the model edited the question whether a place goes with what is new in it' },
  {
    seed: 9200104,
    deck: 'all',
    showed: 'the model did not know that an invitation without an answer is made again once its member is removed',
  },
  { seed: 9200351, deck: 'all', policy: 'upgraded', showed: 'the model did not see that a snapshot was parked for one answer' },
  { seed: 301096, showed: 'the model did not know that another name for an equal value keeps both' },
  { seed: 301731, showed: 'the model did not know that another slug for a place takes along what was to be made again below it' },
  { seed: 301982, showed: 'two users brought back what a third one deleted, without ETags' },
  { seed: 302113, showed: 'the same on bare lists' },
  { seed: 302741, showed: 'the model did not know that two users may both bring back what a third one deleted' },
  { seed: 300782, showed: 'a variable came back unasked with an environment that was deleted and made again' },
]

test.each(pinned)(
  'seed $seed keeps every promise; once it showed: $showed',
  async ({ seed, deck = 'edits', policy = 'open' }) => {
    const { problem, trace } = await runSeed(seed, deck, policy)
    expect(problem, `npm run fuzz -- --seed ${seed} --runs 1 --deck ${deck} --policy ${policy}\n${trace.join('\n')}`).toBeNull()
  },
  patienceMs,
)
