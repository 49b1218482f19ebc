import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

/** The ways a text may lie in a file: as UTF-8, as UTF-16, and as Base64 at each of the three alignments. */
function spellings(text: string): Buffer[] {
  const utf8 = Buffer.from(text)
  const base64 = [0, 1, 2].map((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), utf8]).toString('base64')
    // Characters that also depend on neighbours are cut off at both ends.
    return Buffer.from(encoded.slice(shift === 0 ? 0 : 4, -4))
  })
  return [utf8, Buffer.from(text, 'utf16le'), Buffer.from(text, 'utf16le').swap16(), ...base64]
}

export interface Scan {
  files: number
  bytes: number
  /** `file: text` for every sentinel found. */
  found: string[]
}

/** Looks for every one of `sentinels` in every byte of every file below `folder`. */
export async function scanFolder(folder: string, sentinels: readonly string[]): Promise<Scan> {
  const wanted = sentinels.map((text) => ({ text, spellings: spellings(text) }))
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const scan: Scan = { files: 0, bytes: 0, found: [] }
  for (const entry of entries.filter((candidate) => candidate.isFile())) {
    const file = path.join(entry.parentPath, entry.name)
    // A file that a running application takes away meanwhile holds nothing any more.
    const content = await readFile(file).catch(() => null)
    if (content === null) continue
    scan.files += 1
    scan.bytes += content.length
    for (const { text, spellings: forms } of wanted) {
      if (forms.some((form) => content.includes(form))) scan.found.push(`${path.relative(folder, file)}: ${text}`)
    }
  }
  return scan
}
