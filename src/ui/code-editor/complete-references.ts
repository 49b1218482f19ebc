import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete'
import { referenceAt } from '../../domain/reference-at.ts'
import type { CodeSuggestion } from './suggestion.ts'

/** Longest stretch before the caret that is looked at for a `${`. */
const reach = 600

/** Suggests variables for a reference as soon as `${` has been typed. */
export const completeReferences = (suggest: (typed: string) => Promise<readonly CodeSuggestion[]>) => {
  const source = async (context: CompletionContext): Promise<CompletionResult | null> => {
    const start = Math.max(0, context.pos - reach)
    const open = referenceAt(context.state.sliceDoc(start, context.pos + reach), context.pos - start)
    if (open === null) return null
    const found = await suggest(open.typed)
    if (found.length === 0) return null
    const end = open.isClosed ? '' : '}'
    return {
      from: start + open.from,
      to: start + open.to,
      // The application has filtered and ordered them.
      filter: false,
      options: found.map(({ insert, detail }) => ({
        label: insert,
        detail,
        apply: (view, _completion, from, to) => {
          const caret = from + insert.length + 1
          view.dispatch({ changes: { from, to, insert: `${insert}${end}` }, selection: { anchor: caret }, userEvent: 'input.complete' })
        },
      })),
    }
  }
  return autocompletion({ override: [source], icons: false, maxRenderedOptions: 50 })
}
