/**
 * Control characters but tab and line breaks; spaces and marks of no width, but those that join the letters of a script or an emoji; marks that
 * turn the direction of text.
 */
const invisible = /[\u0001-\u0008\v\f\u000E-\u001F\u007F-\u009F\u00AD\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/

/** The first character of a text that can't be seen, as in `U+200B`; null: there is none. They come with text copied from chats and documents. */
export const invisibleCharacter = (text: string): string | null => {
  const found = invisible.exec(text)?.[0].charCodeAt(0)
  return found === undefined ? null : `U+${found.toString(16).toUpperCase().padStart(4, '0')}`
}
