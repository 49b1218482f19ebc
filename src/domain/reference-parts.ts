/** `$${` is a literal `${`; the application reads values by the same rule. */
const mark = /(\$\$\{|\$\{[\p{L}\p{N}_][\p{L}\p{N}_.-]*\})/u

/** A value cut into plain text and references to other variables, such as `${HOST}` or `${staging.HOST}`. */
export const referenceParts = (text: string): { text: string; isReference: boolean }[] =>
  text
    .split(mark)
    .map((part) => ({ text: part, isReference: part.startsWith('${') && part.endsWith('}') && mark.test(part) }))
    .filter((part) => part.text !== '')

/** Whether a reference can name a variable: a name may have characters, such as spaces, that make it plain text there. */
export const isReferable = (name: string): boolean => {
  const [only, ...more] = referenceParts(`\${${name}}`)
  return only?.isReference === true && more.length === 0
}

/** Whether a value refers to other variables. Cheap where it doesn't, however long it is. */
export const hasReferences = (text: string): boolean => text.includes('${') && referenceParts(text).some((part) => part.isReference)
