import type { ExportEntry, ExportFormat } from './export-entry.ts'

/** The largest Secret that Kubernetes takes, in bytes. */
const sizeLimit = 1024 * 1024

/** A manifest of one Kubernetes Secret. Its values are in base64, which hides nothing. */
export const kubernetesFormat: ExportFormat = {
  ending: '-secret.yaml',
  refusal({ name }) {
    if (!/^[-._a-zA-Z0-9]+$/.test(name)) return 'Kubernetes keys can contain the letters A to Z, digits, dots, dashes and underscores.'
    if (name.length > 253) return 'Kubernetes keys can have up to 253 characters.'
    return name === '.' || name.startsWith('..') ? 'Kubernetes keys can’t be "." or begin with "..".' : null
  },
  write: (entries, title) =>
    manifest(
      title,
      entries.map(({ name, value, isMasked }) => [name, isMasked ? value : base64(value)]),
    ),
  notes: [
    {
      namesIn: (entries) => (sizeOf(entries) > sizeLimit ? entries.map(({ name }) => name) : []),
      say: () => 'A Kubernetes Secret can hold up to 1 MiB, and this one is larger. Export fewer variables at a time.',
    },
  ],
}

function base64(text: string): string {
  const bytes = Buffer.from(text, 'utf8')
  const encoded = bytes.toString('base64')
  // Small buffers share a pool, in which a copy would stay.
  bytes.fill(0)
  return encoded
}

const sizeOf = (entries: readonly ExportEntry[]): number =>
  entries.reduce((sum, { name, value }) => sum + name.length + Buffer.byteLength(value, 'utf8'), 0)

/** Everything is in quotes: a key like `1.5` or `no` is a text. */
const manifest = (title: string, data: readonly (readonly [string, string])[]): string =>
  [
    'apiVersion: v1',
    'kind: Secret',
    'metadata:',
    `  name: "${objectName(title)}"`,
    'type: Opaque',
    data.length === 0 ? 'data: {}' : 'data:',
    ...data.map(([name, value]) => `  "${name}": "${value}"`),
    '',
  ].join('\n')

/** Returns a name that Kubernetes accepts (RFC 1123 label) from any title. */
function objectName(title: string): string {
  const plain = title
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .slice(0, 63)
    .replace(/^-+|-+$/g, '')
  return plain === '' ? 'variables' : plain
}
