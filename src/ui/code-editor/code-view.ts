import { closeCompletion, completionStatus } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { bracketMatching, indentUnit } from '@codemirror/language'
import { forceLinting, linter } from '@codemirror/lint'
import { Compartment, EditorState, Prec, Text, type Extension } from '@codemirror/state'
import { EditorView, highlightSpecialChars, keymap, lineNumbers, placeholder, tooltips } from '@codemirror/view'
import { jsonProblem } from '../../domain/json-problem.ts'
import type { CodeLanguage } from '../../domain/code-language.ts'
import { codeTheme } from './code-theme.ts'
import { completeReferences } from './complete-references.ts'
import { envLanguage } from './env-language.ts'
import { referenceMarks } from './reference-marks.ts'
import type { CodeSuggestion } from './suggestion.ts'
import { yamlLanguage } from './yaml-language.ts'

export interface CodeViewOptions {
  parent: HTMLElement
  text: string
  label: string
  /** Ids of the elements that describe it. */
  describedBy: string | undefined
  language: CodeLanguage
  placeholder: string
  numbered: boolean
  /** Read-only: the text can be selected and copied. */
  readonly: boolean
  /** The line, from 1 on, that is selected and in sight at first. */
  line: number | null
  /** Suggests texts for a reference; without it, nothing is suggested. */
  suggest: ((typed: string) => Promise<readonly CodeSuggestion[]>) | undefined
  onchange: (text: string) => void
  /** Ctrl Enter. */
  onsubmit: (() => void) | undefined
  /** A file was dropped. Without this, its text is inserted. */
  onfile: ((file: File) => void) | undefined
  /** Escape, while no suggestions are open. Without this, the surrounding element handles Escape. */
  oncancel: (() => void) | undefined
}

export interface CodeView {
  focus(): void
  /** Replaces the text; can be undone in the editor. */
  setText(text: string): void
  setLanguage(language: CodeLanguage): void
  setInvalid(invalid: boolean): void
  goTo(at: number): void
  destroy(): void
}

/** The longest text that is checked while it is typed; the application checks every text that it gets. */
const longestLinted = 500_000

const lintJson = linter(
  (view) => {
    if (view.state.doc.length > longestLinted) return []
    const text = view.state.doc.toString()
    const problem = text.trim() === '' ? null : jsonProblem(text)
    if (problem === null) return []
    const from = Math.min(problem.at, text.length)
    return [{ from, to: Math.min(from + 1, text.length), message: problem.message, severity: 'error' }]
  },
  { delay: 300 },
)

const languages: { readonly [L in CodeLanguage]: Extension } = {
  text: [],
  json: [json(), bracketMatching(), indentUnit.of('  '), lintJson],
  env: [envLanguage],
  yaml: [yamlLanguage],
}

/** The list of suggestions handles Escape first and stops it there. */
const escapeList = EditorView.domEventHandlers({
  keydown(event, view) {
    if (event.key !== 'Escape' || completionStatus(view.state) === null) return false
    event.stopPropagation()
    event.preventDefault()
    closeCompletion(view)
    return true
  },
})

/** A dropped file goes to the `onfile` handler; its text is not inserted. */
const takeFiles = (onfile: (file: File) => void) =>
  EditorView.domEventHandlers({
    drop(event) {
      const file = event.dataTransfer?.files[0]
      if (file !== undefined) onfile(file)
      return file !== undefined
    },
  })

/** Runs `act` if given; returns whether the key was handled. */
const run = (act: (() => void) | undefined) => () => {
  act?.()
  return act !== undefined
}

/** The parts that never change while the editor exists. */
const extensionsOf = (options: CodeViewOptions): Extension => [
  EditorState.lineSeparator.of('\n'),
  Prec.highest(escapeList),
  Prec.high(
    keymap.of([
      { key: 'Mod-Enter', run: run(options.onsubmit) },
      { key: 'Escape', run: run(options.oncancel) },
    ]),
  ),
  history(),
  keymap.of([...defaultKeymap, ...historyKeymap]),
  highlightSpecialChars(),
  EditorView.lineWrapping,
  EditorView.clipboardInputFilter.of((text) => text.replace(/\r\n?/g, '\n')),
  EditorView.contentAttributes.of({
    'aria-label': options.label,
    // The editor is focusable without a tabindex; accessibility checkers do not know that.
    tabindex: '0',
    spellcheck: 'false',
    autocorrect: 'off',
    autocapitalize: 'off',
    ...(options.readonly && { 'aria-readonly': 'true' }),
    ...(options.describedBy !== undefined && { 'aria-describedby': options.describedBy }),
  }),
  EditorState.readOnly.of(options.readonly),
  options.onfile ? takeFiles(options.onfile) : [],
  placeholder(options.placeholder),
  options.numbered ? lineNumbers() : [],
  options.suggest ? completeReferences(options.suggest) : [],
  tooltips({ parent: options.parent.closest<HTMLElement>('[role="dialog"], main') ?? document.body }),
  referenceMarks,
  codeTheme,
  EditorView.updateListener.of((update) => {
    if (update.docChanged) options.onchange(update.state.doc.toString())
  }),
]

/**
 * A text editor in `parent`. The text is kept exactly: only LF ends a line, so a CR stays the character it is. Nothing spells, corrects or
 * completes it. Enter breaks the line, Tab leaves it.
 */
export const createCodeView = (options: CodeViewOptions): CodeView => {
  const language = new Compartment()
  const validity = new Compartment()
  const doc = Text.of(options.text.split('\n'))
  const line = options.line !== null && options.line <= doc.lines ? doc.line(options.line) : null
  const caret = { anchor: options.readonly ? 0 : doc.length }
  const view = new EditorView({
    parent: options.parent,
    state: EditorState.create({
      doc,
      selection: line === null ? caret : { anchor: line.from, head: line.to },
      extensions: [extensionsOf(options), validity.of([]), language.of(languages[options.language])],
    }),
    ...(line !== null && { scrollTo: EditorView.scrollIntoView(line.from, { y: 'center' }) }),
  })
  return {
    focus: () => view.focus(),
    setText: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, userEvent: 'input' }),
    setLanguage: (next) => {
      view.dispatch({ effects: language.reconfigure(languages[next]) })
      if (next === 'json') forceLinting(view)
    },
    setInvalid: (invalid) => {
      const attributes = invalid ? EditorView.contentAttributes.of({ 'aria-invalid': 'true' }) : []
      view.dispatch({ effects: validity.reconfigure(attributes) })
    },
    goTo: (at) => {
      view.dispatch({ selection: { anchor: Math.min(at, view.state.doc.length) }, scrollIntoView: true })
      view.focus()
    },
    destroy: () => view.destroy(),
  }
}
