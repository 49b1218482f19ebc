import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import SqliteDatabase from 'better-sqlite3'
import type { Dice } from './dice.ts'

/** What a crash may do to a database file: a page of a table, the beginning of the file, or its end. */
export const damages = ['queue', 'queue', 'base', 'working', 'history', 'meta', 'versions', 'members', 'followed', 'head', 'tail'] as const
export type Damage = (typeof damages)[number]

/** Damages the database of a workspace that nobody has open: what was drawn comes out the same in every run. */
export function damageFile(file: string, damage: Damage, dice: Dice): void {
  const database = new SqliteDatabase(file, { readonly: true })
  const pageSize = Number(database.pragma('page_size', { simple: true }))
  const pageCount = Number(database.pragma('page_count', { simple: true }))
  const pagesOf = database.prepare<[string], number>('SELECT pageno FROM dbstat WHERE name = ? ORDER BY pageno').pluck()
  const pages = damage === 'head' || damage === 'tail' ? [] : pagesOf.all(damage)
  database.close()
  const handle = openSync(file, 'r+')
  try {
    if (damage === 'tail') ftruncateSync(handle, Math.ceil(pageCount * 0.7) * pageSize)
    else if (damage === 'head') writeSync(handle, Buffer.alloc(100, 0xff), 0, 100, 0)
    else writeSync(handle, Buffer.alloc(pageSize, dice.pick([0, 0xff]) ?? 0), 0, pageSize, ((dice.pick(pages) ?? 1) - 1) * pageSize)
  } finally {
    closeSync(handle)
  }
}
