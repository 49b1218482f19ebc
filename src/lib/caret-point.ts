/** The styles that decide where the lines of a text area break. */
const copied = [
  'fontFamily',
  'fontSize',
  'fontWeight',
  'fontStyle',
  'fontFeatureSettings',
  'fontVariantLigatures',
  'letterSpacing',
  'lineHeight',
  'padding',
  'tabSize',
  'textIndent',
  'overflowWrap',
  'wordBreak',
] as const

/**
 * Where the character at `index` of a text area is, in pixels from the top left corner of its text: its line’s top and height, and its left
 * edge.
 */
export const caretPoint = (area: HTMLTextAreaElement, index: number): { left: number; top: number; height: number } => {
  // Browsers don't tell: a copy of the text is laid out, with a mark in it.
  const copy = document.createElement('div')
  const style = getComputedStyle(area)
  for (const name of copied) copy.style[name] = style[name]
  Object.assign(copy.style, { position: 'absolute', visibility: 'hidden', whiteSpace: 'pre-wrap', boxSizing: 'border-box' })
  copy.style.width = `${area.clientWidth}px`
  copy.textContent = area.value.slice(0, index)
  const mark = document.createElement('span')
  mark.textContent = '\u2060'
  copy.append(mark, area.value.slice(index))
  document.body.append(copy)
  const { offsetLeft: left, offsetTop: top, offsetHeight: height } = mark
  copy.remove()
  return { left, top, height }
}
