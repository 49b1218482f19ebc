import type { ImportLine } from '../../electron/bridge/rows.ts'

/** Lines of a preview as they are shown. A text of which nothing was read replaces nothing: it is the wrong text, and no wish to remove all there is. */
export const withoutBlindRemovals = <L extends Pick<ImportLine, 'status'>>(lines: readonly L[]): readonly L[] => {
  const isRead = lines.some(({ status }) => status === 'added' || status === 'changed' || status === 'unchanged')
  return isRead ? lines : lines.filter(({ status }) => status !== 'removed')
}
