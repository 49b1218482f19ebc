/** Not meant: tab and line breaks, the joiners of letters and emoji, the letters of flags, and Arabic signs that can be seen. */
const pattern = /(?![\t\n\r\u0600-\u0605\u06DD\u200C-\u200D\u{E0020}-\u{E007F}])[\p{Cc}\p{Cf}]/u
const everywhere = new RegExp(pattern, 'gu')

const codeOf = (character: string): string => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** The first character of a text that can't be seen, as in `U+200B`; null: there is none. They come with text copied from chats and documents. */
export const invisibleCharacter = (text: string): string | null => {
  const found = pattern.exec(text)?.[0]
  return found === undefined ? null : codeOf(found)
}

/**
 * The text with its invisible characters written out, as in `user[U+202E]eman`. Drawn as it is, a name or value with such characters can look
 * like another one: some reverse the text after them.
 */
export const visibleText = (text: string): string => text.replace(everywhere, (character) => `[${codeOf(character)}]`)
