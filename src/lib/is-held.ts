import { walkList } from '../domain/walk-list.ts'
import { isTypingIn } from './is-typing-in.ts'

/**
 * Whether a key press only repeats a key that is being held, and would do more than type or move. One press decides one thing: the next
 * question may already be in its place.
 */
export const isHeld = (event: KeyboardEvent): boolean => {
  const { repeat, key, ctrlKey, metaKey, altKey, target } = event
  if (!repeat || ctrlKey || metaKey || altKey || isTypingIn(target)) return false
  return key !== 'Tab' && !key.startsWith('Arrow') && walkList(0, key, 1, 1) === null
}
