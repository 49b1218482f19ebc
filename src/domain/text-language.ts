import type { CodeLanguage } from './code-language.ts'

/** How many characters of a text are read. */
const reach = 2000

/** Guesses the language of a text, for its colours while it is typed. The application decides the format it is read as. */
export const textLanguage = (text: string): CodeLanguage => {
  const lines = text
    .slice(0, reach)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  const [first] = lines
  if (first !== undefined && /^[[{]/.test(first)) return 'json'
  const telling = lines.find((line) => line === '---' || /^(?:export\s+)?[^\s=:]+\s*=/.test(line) || /^[^\s=]+:(?:\s|$)/.test(line))
  return telling !== undefined && (telling === '---' || /^[^\s=]+:(?:\s|$)/.test(telling)) ? 'yaml' : 'env'
}
