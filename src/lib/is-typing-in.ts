/** Whether keys pressed at `target` are text being typed, which no shortcut may take. */
export const isTypingIn = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.matches('textarea, input:not([type="radio"]):not([type="file"]), [contenteditable="true"] *, [contenteditable="true"]')
