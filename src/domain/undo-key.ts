import { isKeyOf } from './commands.ts'

/** Whether a key press asks for undo or redo. */
export const undoKey = (event: Parameters<typeof isKeyOf>[1]): 'undo' | 'redo' | null =>
  isKeyOf('edit.undo', event) ? 'undo' : isKeyOf('edit.redo', event) ? 'redo' : null
