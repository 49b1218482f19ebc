import { holdsNul, type ExportFormat } from './export-entry.ts'

/** Docker reads lines shorter than this. */
const lineLimit = 64 * 1024

/**
 * A file for `docker run --env-file`: a name, `=`, and the rest of the line as it stands. There are no quotes and no escapes, so a
 * value of several lines has no way to be written.
 */
export const dockerFormat: ExportFormat = {
  ending: '.docker.env',
  isJoinable: true,
  refusal({ name, value }) {
    if (name === '' || /[\s=\ufeff]/.test(name) || name.startsWith('#')) {
      return 'Docker names can’t contain a space or "=", or begin with "#".'
    }
    if (/[\r\n]/.test(value)) return 'Docker reads an --env-file line by line, so a value can’t contain a line break.'
    if (holdsNul(value)) return 'An environment value can’t contain a NUL character.'
    if (Buffer.byteLength(`${name}=${value}`, 'utf8') >= lineLimit) return 'Docker reads lines shorter than 64 KiB, and this one is longer.'
    return null
  },
  write: (entries) => entries.map(({ name, value }) => `${name}=${value}\n`).join(''),
}
