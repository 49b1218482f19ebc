import type { CodeLanguage } from './code-language.ts'

/** As much of a text is looked at. */
const reach = 2000

/** What a text looks like, for its colours while it is typed. Which format it is read as is for the application to say. */
export const textLanguage = (text: string): CodeLanguage => {
  const lines = text
    .slice(0, reach)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  if (/^[[{]/.test(lines[0] ?? '')) return 'json'
  const telling = lines.find((line) => line === '---' || /^(?:export\s+)?[^\s=:]+\s*=/.test(line) || /^[^\s=]+:(?:\s|$)/.test(line))
  return telling !== undefined && (telling === '---' || /^[^\s=]+:(?:\s|$)/.test(telling)) ? 'yaml' : 'env'
}
