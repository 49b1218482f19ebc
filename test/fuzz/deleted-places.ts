import type { DeletedRow } from '../../electron/bridge/rows.ts'
import type { Dice } from './dice.ts'
import type { FuzzService } from './fuzz-service.ts'
import type { Oracle } from './oracle.ts'
import type { Player } from './player.ts'
import type { RestoreOracle } from './restore-oracle.ts'
import { Violation } from './violation.ts'
import type { Witness } from './witness.ts'

interface Parts {
  dice: Dice
  oracle: Oracle
  witness: Witness
  restores: RestoreOracle
  service: FuzzService
}

/** Restores one of the projects and environments that the list of deleted ones shows; what happened, in words. */
export async function restoreDeleted({ dice, oracle, witness, restores }: Parts, player: Player): Promise<string | null> {
  if (player.key === 'elsewhere') return null
  const rows = await player.deleted()
  if (rows === null || rows === 'crashed') return rows
  restores.sees(player)
  const text = (row: DeletedRow) => `${row.from} ${row.kind} ${row.project} ${row.slug} ${row.variables} ${row.versions} ${row.at}`
  const row = dice.pick(rows.toSorted((a, b) => (text(a) < text(b) ? -1 : 1)))
  if (row === undefined) return null
  const what = `${row.kind} ${row.slug} from ${row.from}`
  const wasKept = row.from === 'service'
  const since = oracle.moment
  const isThere = restores.isShown(player, row.id)
  const before = new Set(player.client.queue().map(({ rowId }) => rowId))
  const done = await player.ask('deleted.restore', { id: row.id, from: row.from })
  if (!wasKept) witness.madeAgain(player, before)
  if (done === null || done === 'crashed' || !done.ok) return `${what} ${done === null || done === 'crashed' ? done : done.error.kind}`
  restores.isBack(player, row.id, wasKept, since)
  if (!wasKept && !isThere) holdsAsSaid(player, row)
  return `${what}: ${row.environments} environments, ${row.variables} variables, ${row.versions} versions`
}

/** What is restored from this computer is what the list said there was. */
function holdsAsSaid(player: Player, { slug, environments, variables, versions, lacks, project, kind }: DeletedRow): void {
  const { client } = player
  const projects = client.children('project', null)
  const places =
    kind === 'project'
      ? projects
      : projects.filter(({ fields }) => fields.name === project).flatMap(({ id }) => client.children('environment', id))
  const found = places.filter(({ fields }) => fields.slug === slug)
  const hasAll = found.some(({ id }) => {
    const below = client.below(id)
    const count = (of: string) => below.filter((row) => row.kind === of).length
    const snapshots = client.operations().filter((each) => each.kind === 'snapshot' && each.ancestors.includes(id)).length
    const hasVariables = lacks?.includes('Unverified') === true || count('variable') >= variables
    return count('environment') >= (kind === 'project' ? environments : 0) && hasVariables && (lacks !== null || snapshots >= versions)
  })
  if (!hasAll) throw new Violation(`${player.name} restored ${slug} without all of its ${variables} variables and ${versions} versions`)
}

/** The 30 days of all that is deleted are over. */
export async function forgetDeleted({ restores, service }: Parts): Promise<string> {
  await service.forgetDeleted()
  restores.forgets()
  return 'what was deleted'
}
