import { Decoration, MatchDecorator, ViewPlugin, type DecorationSet, type EditorView, type ViewUpdate } from '@codemirror/view'

const reference = Decoration.mark({ class: 'cm-reference' })

/** References as the application reads them; `$${` begins none. */
const matcher = new MatchDecorator({
  regexp: /(?<!\$)\$\{[\p{L}\p{N}_][\p{L}\p{N}_.-]*\}/gu,
  decoration: () => reference,
})

/** Marks every reference to another variable that is in view. */
export const referenceMarks = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet
    constructor(view: EditorView) {
      this.decorations = matcher.createDeco(view)
    }
    update(update: ViewUpdate) {
      this.decorations = matcher.updateDeco(update, this.decorations)
    }
  },
  { decorations: (plugin) => plugin.decorations },
)
