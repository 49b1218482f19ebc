/**
 * The key that was pressed, as `KeyboardEvent.key` names it. Where the layout has other letters (Cyrillic, Greek, Hebrew, Arabic), a key
 * that types one of them is what it is on a keyboard for English, as in other programs.
 */
export const latinKey = ({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string =>
  isOfOtherScript.test(key) ? (signs[code] ?? /^(?:Key|Digit)(.)$/.exec(code)?.[1] ?? key) : key

const isOfOtherScript = /^(?![0-9]|\p{Script=Latin})[\p{L}\p{Nd}]$/u
const signs: Readonly<Record<string, string>> = { Comma: ',', Slash: '/' }
