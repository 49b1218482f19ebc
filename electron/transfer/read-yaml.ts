import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Node, type Scalar } from 'yaml'
import { createCollector, type Leaf } from './collect-entries.ts'
import { emptyGroupReason, listReason, nullNote, pathInWords } from './flat-path.ts'
import { decodedNote, decodeValue, partsOfManifest } from './kubernetes-manifest.ts'
import { depthLimit, tooDeep, UnreadableText } from './read-limits.ts'
import type { ReadText } from './read-text.ts'

/**
 * Reads a YAML 1.2 mapping (core schema, one document) as variables, shaped as JSON is: nested mappings become one name, joined by `__`. A
 * list, a custom tag, and a merge key (`<<`) are invalid, each by its path. An alias is replaced by the node that it names, within the
 * limits of entries and depth. Of a Kubernetes Secret or ConfigMap, reads the entries only, decoded where they are in base64. Throws UnreadableText, with
 * the line, for anything that is not such a mapping.
 */
export function readYaml(text: string): ReadText {
  const lines = new LineCounter()
  const root = parse(text, lines)
  const lineOf = (node: Node | null): number => lines.linePos(node?.range?.[0] ?? 0).line || 1
  const { add, refuse, read } = createCollector()
  if (root === null) return read()
  if (!isMap(root)) throw notAMapping()
  const targets = linkAliases(root, lineOf)

  const take = (line: number, path: readonly string[], leaf: Leaf): void => add(line, path, leaf)
  const takeSecret: typeof take = (line, path, leaf) => add(line, path, { ...leaf, isSecret: true })
  const decoded =
    (takeText: typeof take): typeof take =>
    (line, path, { value, note }) => {
      const decoding = decodeValue(value)
      if (decoding.ok) takeText(line, path, { value: decoding.text, type: null, note: note ?? decodedNote })
      else refuse(line, path, decoding.reasonOf)
    }

  const walk = (node: unknown, line: number, path: readonly string[], depth: number, each = take): void => {
    if (depth > depthLimit) throw tooDeep(line)
    if (isAlias(node)) {
      const target = targets.get(node)
      if (target === undefined) refuse(line, path, noAnchorReason)
      else walk(target, line, path, depth + 1, each)
    } else if (isSeq(node)) refuse(line, path, listReason)
    else if (isMap(node)) {
      if (node.items.length === 0 && path.length > 0) refuse(line, path, emptyGroupReason)
      for (const { key, value } of node.items) {
        const name = keyName(key)
        const inner = [...path, name]
        const at = isScalar(key) && depth === path.length ? lineOf(key) : line
        if (name === '<<' && (isAlias(value) || isMap(value) || isSeq(value))) refuse(at, inner, mergeReason)
        else walk(value, at, inner, depth + 1, each)
      }
    } else if (isScalar(node) && node.tag !== undefined && !coreTags.has(node.tag)) refuse(line, path, tagReason)
    else each(line, path, leafOf(isScalar(node) ? node : null))
  }
  const parts = partsOfManifest(root)
  if (parts === null) walk(root, 1, [], 0)
  else
    for (const { node, isEncoded, isSecret } of parts) {
      const takeText = isSecret ? takeSecret : take
      walk(node, 1, [], 0, isEncoded ? decoded(takeText) : takeText)
    }
  return read()
}

const mergeReason = (): string => 'YAML 1.2 has no merge keys (<<). Write out the entries instead.'
const noAnchorReason = (path: readonly string[]): string => `${pathInWords(path)} is an alias, but nothing before it has that anchor.`
const tagReason = (path: readonly string[]): string =>
  `${pathInWords(path)} has a tag that Holdfast doesn’t know. Write the value as plain text.`
const coreTags = new Set(['!', ...['str', 'int', 'float', 'bool', 'null'].map((name) => `tag:yaml.org,2002:${name}`)])

function parse(text: string, lineCounter: LineCounter): Node | null {
  const options = {
    version: '1.2',
    schema: 'core',
    stringKeys: true,
    uniqueKeys: false,
    resolveKnownTags: false,
    prettyErrors: false,
    // With 'silent', a second document would be dropped without an error.
    logLevel: 'error',
    lineCounter,
  } as const
  try {
    const document = parseDocument(text, options)
    const error = document.errors[0]
    if (error === undefined) return document.contents
    const { line } = lineCounter.linePos(error.pos[0])
    if (error.code === 'MULTIPLE_DOCS') throw new UnreadableText('This YAML contains several documents. Import them one by one.')
    throw new UnreadableText(`This isn’t valid YAML. Something is out of place on line ${line}: fix it there, or choose another format.`)
  } catch (error) {
    // The parser is recursive. A text too deep for its stack is deeper than any that people write.
    if (error instanceof RangeError) throw new UnreadableText(`This YAML is more than ${depthLimit} levels deep. Flatten it first.`)
    throw error
  }
}

const notAMapping = (): UnreadableText =>
  new UnreadableText('This YAML isn’t a mapping. Write it as NAME: value, one line for each variable.')

/**
 * The node of each alias: the latest one with its anchor before it. All are found in one pass, because the library would search the whole
 * text for each.
 */
function linkAliases(root: Node, lineOf: (node: Node) => number): Map<unknown, Node> {
  const targets = new Map<unknown, Node>()
  const anchors = new Map<string, Node>()
  const link = (node: unknown, depth: number): void => {
    if (isAlias(node)) {
      const target = anchors.get(node.source)
      if (target !== undefined) targets.set(node, target)
      return
    }
    if (!isMap(node) && !isSeq(node) && !isScalar(node)) return
    if (depth > depthLimit) throw tooDeep(lineOf(node))
    if (node.anchor !== undefined) anchors.set(node.anchor, node)
    if (isSeq(node)) for (const item of node.items) link(item, depth + 1)
    if (isMap(node)) for (const { value } of node.items) link(value, depth + 1)
  }
  link(root, 0)
  return targets
}

const keyName = (key: unknown): string => (isScalar(key) ? (key.source ?? String(key.value)) : '')

/** Returns the fields of a scalar. A number keeps its digits as written. */
function leafOf(scalar: Scalar | null): Leaf {
  const value = scalar?.value ?? null
  if (value === null) return { value: '', type: null, note: nullNote }
  if (typeof value === 'boolean') return { value: String(value), type: 'boolean', note: null }
  const text = scalar?.source ?? String(value)
  return { value: text, type: typeof value === 'number' && Number.isFinite(Number(text)) ? 'number' : null, note: null }
}
