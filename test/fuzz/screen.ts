import type { RowKind } from '../../electron/queue/entry.ts'
import { versionsShown } from './operation-oracle.ts'
import type { Oracle } from './oracle.ts'
import type { Player } from './player.ts'

/** A row as a screen showed it. */
export interface ShownRow {
  id: string
  kind: RowKind
  parentId: string | null
  name: string
  slug: string
  value: string
  /** Absent: unknown, as on a service that does not say. */
  isSecret?: boolean | undefined
  /** What an edit of it gives back, as the answer to the screen's query said it. */
  seen: number
}

/**
 * What a person had before their eyes at one moment: a table with an editor in it, a comparison, a dialog, a preview. It stays as it is, whatever
 * comes to the application afterwards; what is done on it is done by somebody who has seen this and nothing else.
 */
export interface Screen {
  /** What is given back about something that this screen does not show. */
  rev: number
  rows: ReadonlyMap<string, ShownRow>
  /** The notes of the versions that it lists. */
  versions: ReadonlySet<string>
  /** The life of the application in which it was drawn: a new start draws all screens anew. */
  life: number
}

/** Looks at everything the application shows now. */
export async function lookAt(player: Player, oracle: Oracle): Promise<Screen> {
  // Revisions before contents: what comes in between is only asked about.
  const [rev, revs] = await player.shownRevs()
  const { client, life } = player
  const versions = versionsShown(client)
  const top = client.children('project', null)
  const rows = top.flatMap((project) => [project, ...client.below(project.id)])
  const shown = rows.map(({ id, kind, parentId, fields }): ShownRow => ({
    id,
    kind,
    parentId,
    name: fields.name ?? '',
    slug: fields.slug ?? '',
    value: oracle.plain(fields.value?.sealed),
    isSecret: fields.isSecret,
    seen: revs.get(id) ?? rev,
  }))
  return { rev, rows: new Map(shown.map((row) => [row.id, row])), versions, life }
}

/** The rows of a kind, in an order that does not depend on ids. */
export function rowsOn({ rows }: Screen, kind: RowKind): ShownRow[] {
  const key = ({ slug, name, value }: ShownRow) => `${slug}/${name}/${value}`
  return [...rows.values()].filter((row) => row.kind === kind).toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
}

/** The variables of an environment. */
export const variablesOn = (screen: Screen, environmentId: string): ShownRow[] =>
  rowsOn(screen, 'variable').filter(({ parentId }) => parentId === environmentId)

/** A row and all below it. */
export const belowOn = ({ rows }: Screen, id: string): ShownRow[] => {
  const isBelow = (row: ShownRow | undefined): boolean =>
    row !== undefined && (row.id === id || (row.parentId !== null && isBelow(rows.get(row.parentId))))
  return [...rows.values()].filter(isBelow)
}

/** What an edit of some rows gives back. */
export const asOn = (screen: Screen, ids: readonly string[]): { id: string; seen: number }[] =>
  ids.map((id) => ({ id, seen: screen.rows.get(id)?.seen ?? screen.rev }))
