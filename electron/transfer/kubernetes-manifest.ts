import { isMap, isScalar, type YAMLMap } from 'yaml'
import { pathInWords } from './flat-path.ts'

/** One group of entries in a Kubernetes manifest. */
interface ManifestPart {
  name: string
  /** Its values are in base64. */
  isEncoded: boolean
  isSecret: boolean
}

/** The kinds of manifests that hold variables. `stringData` comes last, because it wins over `data` wherever it is written. */
const manifests: Readonly<Record<string, readonly ManifestPart[]>> = {
  Secret: [
    { name: 'data', isEncoded: true, isSecret: true },
    { name: 'stringData', isEncoded: false, isSecret: true },
  ],
  ConfigMap: [
    { name: 'binaryData', isEncoded: true, isSecret: false },
    { name: 'data', isEncoded: false, isSecret: false },
  ],
}

/** Whether `kind` and `apiVersion` are those of a Secret or a ConfigMap. */
export const isManifest = (kind: unknown, apiVersion: unknown): kind is string =>
  typeof kind === 'string' && Object.hasOwn(manifests, kind) && apiVersion === 'v1'

/**
 * Returns the groups of entries in a manifest of one Kubernetes Secret or ConfigMap; null: the mapping is none. The rest of a manifest says
 * nothing about variables.
 */
export function partsOfManifest(root: YAMLMap): (ManifestPart & { node: unknown })[] | null {
  const valueOf = (name: string): unknown => root.items.findLast(({ key }) => isScalar(key) && key.value === name)?.value
  const textOf = (name: string): unknown => {
    const node = valueOf(name)
    return isScalar(node) ? node.value : null
  }
  const kind = textOf('kind')
  if (!isManifest(kind, textOf('apiVersion')) || !isMap(valueOf('metadata'))) return null
  return (manifests[kind] ?? []).map((part) => ({ ...part, node: valueOf(part.name) })).filter(({ node }) => isMap(node))
}

export const decodedNote = 'Decoded from base64.'

export const notBase64Reason = (path: readonly string[]): string =>
  `${pathInWords(path)} isn’t base64. In a Kubernetes Secret, put plain text in stringData.`

export const binaryReason = (path: readonly string[]): string =>
  `${pathInWords(path)} is binary data. A variable holds text: import the base64 text itself under another key.`

/** Returns the text of a value in base64, or why it can't be imported. The value may be written on several lines. */
export function decodeValue(value: string): { ok: true; text: string } | { ok: false; reasonOf: (path: readonly string[]) => string } {
  const encoded = value.replace(/\s+/g, '')
  if (encoded.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(encoded)) return { ok: false, reasonOf: notBase64Reason }
  const bytes = Buffer.from(encoded, 'base64')
  try {
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) }
  } catch {
    return { ok: false, reasonOf: binaryReason }
  } finally {
    // Small buffers share a pool, in which a copy would stay.
    bytes.fill(0)
  }
}
