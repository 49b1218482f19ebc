import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')

/** The characters that the bundled files of a font have, as its package says. */
async function charactersOf(font: 'inter' | 'jetbrains-mono'): Promise<(character: number) => boolean> {
  const ours = await readFile(path.join(root, 'src/ui/fonts.css'), 'utf8')
  const theirs = await readFile(path.join(root, `node_modules/@fontsource-variable/${font}/index.css`), 'utf8')
  const ranges = theirs
    .split('@font-face')
    .filter((face) => ours.includes(`@fontsource-variable/${font}/files/${/files\/([\w.-]+)/.exec(face)?.[1]}`))
    .flatMap((face) => [...face.matchAll(/U\+([0-9A-F]+)(?:-([0-9A-F]+))?/g)])
    .map(([, from = '', to = from]) => [parseInt(from, 16), parseInt(to, 16)] as const)
  return (character) => ranges.some(([from, to]) => from <= character && character <= to)
}

/** Drawn as icons, shown on a Mac only, whose own font has them, or part of a sample value. */
const drawnOtherwise = new Set('←→⌘⇧⌥👋')

const sources = async (folder: string): Promise<string[]> =>
  (await readdir(path.join(root, folder), { recursive: true }))
    .filter((name) => /\.(ts|svelte)$/.test(name))
    .map((name) => path.join(folder, name))

describe.each(['inter', 'jetbrains-mono'] as const)('the bundled files of %s', (font) => {
  test('have every character that Holdfast shows by itself, so that none is a box on a system without other fonts', async () => {
    const has = await charactersOf(font)
    expect(has('A'.charCodeAt(0))).toBe(true)
    const missing: string[] = []
    for (const folder of ['src', 'electron/app', 'electron/bridge', 'electron/remote', 'service/protocol'])
      for (const file of await sources(folder))
        for (const character of new Set(await readFile(path.join(root, file), 'utf8')))
          if (!drawnOtherwise.has(character) && character > '~' && !has(character.codePointAt(0) ?? 0))
            missing.push(`${character} in ${file}`)
    expect(missing).toEqual([])
  })
})
