import { slugLimit } from '../../../service/protocol/limits.ts'

/**
 * A slug made of a name: small letters and digits of its Latin letters, everything else a "-";
 * numbered until `isTaken` says no. A name without any Latin letter becomes `fallback`.
 */
export function slugOf(name: string, fallback: string, isTaken: (slug: string) => boolean): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, slugLimit - 6)
  const stem = plain === '' ? fallback : plain
  for (let n = 1; ; n += 1) {
    const slug = n === 1 ? stem : `${stem}-${n}`
    if (!isTaken(slug)) return slug
  }
}
