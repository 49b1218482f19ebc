/** Controls and format characters; not tab and line breaks, nor Arabic signs that can be seen. */
const unseen = /(?![\t\n\r\u0600-\u0605\u06DD\u200C-\u200D\u{E0020}-\u{E007F}])[\p{Cc}\p{Cf}]/u.source
/** Letters whose look a joiner next to them can change, as in Arabic and Indic scripts: all but those of scripts that never join. */
const joining =
  /(?:(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])(?:\p{L}|(?!\p{Script=Inherited})\p{M}|[\u064B-\u0655]))/u
    .source
/** A joiner that is neither next to such a letter nor between two emoji. */
const joiner = `(?=[\\u200C\\u200D])(?<!${joining})(?!(?<=\\p{Extended_Pictographic}|\\p{Emoji_Modifier}|\\uFE0F).\\p{Extended_Pictographic}).(?!${joining})`
/** A letter of a flag that follows no black flag. A flag has at most six letters, and a mark at their end. */
const tag = /(?=[\u{E0020}-\u{E007F}])(?<!\u{1F3F4}[\u{E0020}-\u{E007E}]{0,6})./u.source

const pattern = new RegExp(`${unseen}|${joiner}|${tag}`, 'u')
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
