import type { ImportLine } from '../../electron/bridge/rows.ts'

/**
 * Lines of a preview as they are shown. A text without a readable line replaces nothing: it is the wrong text, not a wish to delete
 * everything.
 */
export const withoutBlindRemovals = <L extends Pick<ImportLine, 'status'>>(lines: readonly L[]): readonly L[] => {
  const isRead = lines.some(({ status }) => status === 'added' || status === 'changed' || status === 'unchanged')
  return isRead ? lines : lines.filter(({ status }) => status !== 'removed')
}
