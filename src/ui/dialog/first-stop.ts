const fields = [
  'input:not([type="file"]):not(:disabled)',
  'textarea:not(:disabled)',
  'select:not(:disabled)',
  '[role="radio"][aria-checked="true"]:not(:disabled)',
  '[role="tab"][aria-selected="true"]',
  '[contenteditable="true"]',
].join(', ')

/**
 * What takes the keyboard when a dialog opens: what has it already; its first field, of radio buttons the chosen one; else the last button of its foot that
 * does no harm; else the dialog itself. A field that takes the keyboard by itself once it has been loaded says so with `data-autofocus`.
 */
export const firstStop = (dialog: HTMLElement): HTMLElement => {
  const { activeElement } = document
  if (activeElement instanceof HTMLElement && dialog.contains(activeElement)) return activeElement
  if (dialog.querySelector('[data-autofocus]') !== null) return dialog
  const field = dialog.querySelector<HTMLElement>(fields)
  const chosen = field?.matches('[type="radio"]') ? dialog.querySelector<HTMLElement>('input[type="radio"]:checked') : null
  return chosen ?? field ?? [...dialog.querySelectorAll<HTMLElement>('footer button:not(:disabled):not(.danger)')].at(-1) ?? dialog
}
