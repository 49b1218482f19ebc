/** A press of a key by the user: one made by a script is not trusted. */
export const pressed = (key: string): KeyboardEvent => {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
  Object.defineProperty(event, 'isTrusted', { value: true })
  return event
}
