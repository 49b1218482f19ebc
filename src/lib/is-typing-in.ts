/** Whether keys pressed at `target` are text being typed, and so nobody else's. */
export const isTypingIn = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.matches('textarea, input:not([type="radio"]):not([type="file"]), [contenteditable="true"] *, [contenteditable="true"]')
