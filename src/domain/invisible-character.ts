/** Not meant: tab and line breaks, the joiners of letters and emoji, the letters of flags, and Arabic signs that can be seen. */
const invisible = /(?![\t\n\r\u0600-\u0605\u06DD\u200C-\u200D\u{E0020}-\u{E007F}])[\p{Cc}\p{Cf}]/u

/** The first character of a text that can't be seen, as in `U+200B`; null: there is none. They come with text copied from chats and documents. */
export const invisibleCharacter = (text: string): string | null => {
  const found = invisible.exec(text)?.[0].codePointAt(0)
  return found === undefined ? null : `U+${found.toString(16).toUpperCase().padStart(4, '0')}`
}
