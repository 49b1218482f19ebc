/** A press of a key by the user: one made by a script is not trusted. */
export const pressed = (key: string, held: KeyboardEventInit = {}): KeyboardEvent => {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...held })
  Object.defineProperty(event, 'isTrusted', { value: true })
  return event
}
