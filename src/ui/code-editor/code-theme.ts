import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** Made of the tokens of the window, so that one serves both themes, high contrast and forced colours. */
const looks = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'transparent' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--mono)',
    fontSize: '12.5px',
    lineHeight: '20px',
    fontVariantLigatures: 'none',
    maxHeight: 'var(--code-max-height, 320px)',
    minHeight: 'var(--code-min-height, 60px)',
    overflow: 'auto',
  },
  '.cm-content': { padding: '6px 0', caretColor: 'var(--text)', minHeight: 'var(--code-min-height, 60px)' },
  '.cm-line': { padding: '0 8px' },
  '.cm-placeholder': { color: 'var(--text-3)' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--text-3)', border: 'none', paddingLeft: '4px' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '28px', padding: '0 6px 0 4px' },
  '.cm-reference': { color: 'var(--accent-text)' },
  '.cm-reference *': { color: 'inherit' },
  '.cm-specialChar': { color: 'var(--text-3)' },
  '&.cm-focused .cm-matchingBracket, .cm-matchingBracket': { backgroundColor: 'var(--bg-active)', outline: '1px solid var(--line-strong)' },
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'transparent', color: 'var(--bad)' },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--bad)', textUnderlineOffset: '3px' },
  '.cm-lintPoint-error::after': { borderBottomColor: 'var(--bad)' },
  '.cm-tooltip': {
    border: 'none',
    borderRadius: 'var(--radius-3)',
    backgroundColor: 'var(--bg-raised)',
    boxShadow: 'var(--shadow-2)',
    color: 'var(--text)',
    zIndex: '70',
  },
  '.cm-tooltip.cm-tooltip-lint': { padding: '2px 4px', fontFamily: 'var(--font)', fontSize: 'var(--size-2)' },
  '.cm-diagnostic-error': { borderLeft: 'none' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--mono)',
    fontSize: '12.5px',
    maxHeight: '184px',
    padding: '4px',
    minWidth: '200px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    display: 'flex',
    gap: '16px',
    height: '26px',
    padding: '0 8px',
    lineHeight: '26px',
    borderRadius: 'var(--radius-2)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--bg-active)', color: 'var(--text)' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
  '.cm-completionDetail': { marginLeft: 'auto', fontStyle: 'normal', fontFamily: 'var(--font)', color: 'var(--text-3)' },
  '@media (forced-colors: active)': {
    '.cm-tooltip': { border: '1px solid CanvasText' },
    '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
      backgroundColor: 'Highlight',
      color: 'HighlightText',
      forcedColorAdjust: 'none',
    },
  },
})

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--text)', fontWeight: '500' },
  { tag: [tags.string], color: 'var(--text-2)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--accent-text)' },
  { tag: [tags.punctuation, tags.separator, tags.brace, tags.squareBracket, tags.comment], color: 'var(--text-3)' },
  { tag: tags.invalid, color: 'var(--bad)' },
])

export const codeTheme = [looks, syntaxHighlighting(colours)]
