import { parseValue, written, type Outline } from './parse-value.ts'

export type ProblemKind = 'missing' | 'circular' | 'unreadable' | 'unverified' | 'too-large'

export interface Problem {
  kind: ProblemKind
  /** The references that lead from the variable to the problem, as written. */
  path: string[]
}

/** A variable as resolving sees it. */
export interface Entry {
  id: string
  name: string
  /** The id of the environment in which its references are looked up first. */
  scope: string
  isSecret: boolean
  /** null: its value cannot be read. */
  outline: Outline | null
  /** Set if the variable has no outline because its value is Unverified. */
  isUnverified?: boolean
}

/** The variables there are. */
export interface Book {
  /** The variable that a reference written in `scope` means, or null. */
  find(scope: string, source: string): Entry | null
}

export interface Verdict {
  /** All problems of the variable itself and of those it refers to. */
  kinds: ReadonlySet<ProblemKind>
  /** Whether it is a secret, or its resolved value contains one. */
  isSecret: boolean
  /** Its own text is not resolved. */
  isTooLarge: boolean
  /** Length of the resolved text. */
  size: number
}

export interface Evaluation {
  /** `id`: a root, or a variable that a root refers to. */
  verdictOf(id: string): Verdict
  /** The first `problemLimit` problems, each with its path. */
  problemsOf(id: string): Problem[]
  /** The total length of the texts that `texts` returns. */
  readonly totalSize: number
  /**
   * The resolved texts by id; `open` gives the value as typed. A reference to a missing, unreadable, circular or too large variable is kept
   * as typed. An unreadable or too large variable has no text.
   */
  texts(open: (id: string) => string | null): Map<string, string>
}

/** The longest resolved value, in UTF-16 units. References to references multiply: ten lines can resolve to terabytes. */
export const sizeLimit = 1_000_000
/** Longest chain of references. */
export const depthLimit = 50
const problemLimit = 20

/** A reference as written, and the variable that it means; null if there is no such variable. */
interface Reference {
  source: string
  target: Node | null
}

interface Node {
  entry: Entry
  /** In the order of the text. */
  references: readonly Reference[]
  height: number
  verdict: Verdict
  isDone: boolean
}

/**
 * Follows all references below `roots`. Visits every variable once, without recursion: the time is linear in the number of variables and
 * references, and the verdict on a variable does not depend on the roots.
 */
export function evaluate(roots: readonly Entry[], book: Book): Evaluation {
  const nodes = explore(roots, book)
  const order = judge(nodes)
  const nodeOf = (id: string): Node => {
    const node = nodes.get(id)
    if (node === undefined) throw new Error('This variable was not among those evaluated.')
    return node
  }
  return {
    verdictOf: (id) => nodeOf(id).verdict,
    problemsOf: (id) => findProblems(nodeOf(id)),
    totalSize: order.reduce((sum, { verdict }) => sum + (verdict.isTooLarge ? 0 : verdict.size), 0),
    texts: (open) => putTogether(order, open),
  }
}

const fine: Verdict = { kinds: new Set(), isSecret: false, isTooLarge: false, size: 0 }

function explore(roots: readonly Entry[], book: Book): Map<string, Node> {
  const nodes = new Map<string, Node>()
  const waiting: Node[] = []
  const nodeFor = (entry: Entry): Node => {
    const known = nodes.get(entry.id)
    if (known !== undefined) return known
    const node: Node = { entry, references: [], height: 0, verdict: fine, isDone: false }
    nodes.set(entry.id, node)
    waiting.push(node)
    return node
  }
  for (const root of roots) nodeFor(root)
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const { scope, outline } = node.entry
    node.references = (outline?.sources ?? []).map((source) => {
      const entry = book.find(scope, source)
      return { source, target: entry && nodeFor(entry) }
    })
  }
  return nodes
}

/**
 * Gives each node its verdict, after the nodes that it refers to. Returns the nodes in that order. Nodes in a circle, or that lead into
 * one, come last.
 */
function judge(nodes: ReadonlyMap<string, Node>): Node[] {
  const open = new Map<Node, number>()
  const above = new Map<Node, Node[]>()
  for (const node of nodes.values()) {
    const below = new Set(node.references.flatMap(({ target }) => target ?? []))
    open.set(node, below.size)
    for (const target of below) {
      const list = above.get(target)
      if (list === undefined) above.set(target, [node])
      else list.push(node)
    }
  }
  const order: Node[] = [...nodes.values()].filter((node) => open.get(node) === 0)
  for (const node of order) {
    weigh(node, new Set())
    node.isDone = true
    for (const parent of above.get(node) ?? []) {
      const left = (open.get(parent) ?? 0) - 1
      open.set(parent, left)
      if (left === 0) order.push(parent)
    }
  }
  const circular = [...nodes.values()].filter((node) => !node.isDone)
  for (const node of circular) weigh(node, new Set(['circular']))
  spreadKinds(circular, above)
  return [...order, ...circular]
}

/** A problem anywhere in a cycle is a problem of every value that leads into it. */
function spreadKinds(circular: readonly Node[], above: ReadonlyMap<Node, readonly Node[]>): void {
  const waiting = [...circular]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    for (const parent of above.get(node) ?? []) {
      const all = new Set([...parent.verdict.kinds, ...node.verdict.kinds])
      if (all.size === parent.verdict.kinds.size) continue
      parent.verdict = { ...parent.verdict, kinds: all }
      waiting.push(parent)
    }
  }
}

/** Whether a reference to this node is replaced by its text. */
const isUsable = (target: Node | null): target is Node =>
  target !== null && target.isDone && target.entry.outline !== null && !target.verdict.isTooLarge

const unusableKind = ({ isUnverified }: Entry): ProblemKind => (isUnverified === true ? 'unverified' : 'unreadable')

function weigh(node: Node, kinds: Set<ProblemKind>): void {
  const { outline, isSecret: own } = node.entry
  if (outline === null) kinds.add(unusableKind(node.entry))
  let size = outline?.length ?? 0
  let isSecret = own
  let height = 1
  for (const { source, target } of node.references) {
    if (target === null) kinds.add('missing')
    if (target?.isDone === true) for (const kind of target.verdict.kinds) kinds.add(kind)
    if (isUsable(target)) {
      size += target.verdict.size
      height = Math.max(height, target.height + 1)
      isSecret ||= target.verdict.isSecret
    } else size += written(source).length
  }
  const isTooLarge = size > sizeLimit || height > depthLimit
  if (isTooLarge) kinds.add('too-large')
  node.height = height
  node.verdict = { kinds, isSecret, isTooLarge, size }
}

function putTogether(order: readonly Node[], open: (id: string) => string | null): Map<string, string> {
  const texts = new Map<string, string>()
  for (const { entry, references, verdict } of order) {
    const value = verdict.isTooLarge || entry.outline === null ? null : open(entry.id)
    if (value === null) continue
    let next = 0
    const pieces = parseValue(value).map((part) => {
      if (part.kind === 'text') return part.text
      const target = references[next++]?.target ?? null
      return (isUsable(target) ? texts.get(target.entry.id) : undefined) ?? written(part.source)
    })
    texts.set(entry.id, pieces.join(''))
  }
  return texts
}

/** Shortens a path that is too long for a screen to its two ends. */
const shortened = (path: string[]): string[] =>
  path.length <= depthLimit + 2 ? path : [...path.slice(0, depthLimit), '…', ...path.slice(-1)]

interface Step {
  node: Node
  next: number
  /** The sources reported so far: a reference that is written twice is one problem. */
  told: Set<string>
}

/** Follows the references of one variable. Visits each variable once. */
function findProblems(root: Node): Problem[] {
  const problems: Problem[] = []
  const path = [root.entry.name]
  const stack: Step[] = [{ node: root, next: 0, told: new Set() }]
  const onPath = new Set([root])
  const seen = new Set([root])
  const add = (kind: ProblemKind, ...more: string[]): void => void problems.push({ kind, path: shortened([...path, ...more]) })
  const arrive = ({ entry, verdict }: Node): void => {
    if (entry.outline === null) add(unusableKind(entry))
    if (verdict.isTooLarge) add('too-large')
  }
  arrive(root)
  for (let step = stack.at(-1); step !== undefined && problems.length < problemLimit; step = stack.at(-1)) {
    const { node } = step
    const reference = node.references[step.next]
    if (reference === undefined) {
      stack.pop()
      path.pop()
      onPath.delete(node)
      continue
    }
    const { source, target } = reference
    step.next += 1
    if (target === null || onPath.has(target)) {
      if (!step.told.has(source)) add(target === null ? 'missing' : 'circular', source)
      step.told.add(source)
    } else if (!seen.has(target) && target.verdict.kinds.size > 0) {
      seen.add(target)
      onPath.add(target)
      path.push(source)
      stack.push({ node: target, next: 0, told: new Set() })
      arrive(target)
    }
  }
  return problems
}
