const fields = [
  'input:not([type="file"]):not(:disabled)',
  'textarea:not(:disabled)',
  'select:not(:disabled)',
  '[role="radio"][aria-checked="true"]:not(:disabled)',
  '[role="tab"][aria-selected="true"]',
  '[contenteditable="true"]',
].join(', ')

/**
 * The element to focus when a dialog opens: the one that has the focus already; its first field, or the chosen one of radio buttons; else
 * the last harmless button of its footer; else the dialog itself. A field that focuses itself once it is loaded is marked with
 * `data-autofocus`.
 */
export const firstStop = (dialog: HTMLElement): HTMLElement => {
  const { activeElement } = document
  if (activeElement instanceof HTMLElement && dialog.contains(activeElement)) return activeElement
  if (dialog.querySelector('[data-autofocus]') !== null) return dialog
  const field = dialog.querySelector<HTMLElement>(fields)
  const chosen = field?.matches('[type="radio"]') ? dialog.querySelector<HTMLElement>('input[type="radio"]:checked') : null
  return chosen ?? field ?? [...dialog.querySelectorAll<HTMLElement>('footer button:not(:disabled):not(.danger)')].at(-1) ?? dialog
}
