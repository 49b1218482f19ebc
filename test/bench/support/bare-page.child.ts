import Database from 'better-sqlite3'

/** What a start and its memory are measured against: Node, the same file opened, one page of an environment read. Stays until its input ends. */
const [file = '', environmentId = ''] = process.argv.slice(2)
const database = new Database(file, { readonly: true })
const rows = database
  .prepare("select id, name, sealed, type, is_secret from working where kind = 'variable' and parent_id = ? order by name limit 100")
  .all(environmentId)
process.stdout.write(`${rows.length}\n`)
process.stdin.resume().once('end', () => process.exit(0))
