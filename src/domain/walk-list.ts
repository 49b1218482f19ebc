/** Where a key leads from row `at` of a list of `total` rows; null when the key leads nowhere. Always inside the list. */
export const walkList = (at: number, key: string, total: number, page: number): number | null => {
  const to = (index: number): number => Math.max(0, Math.min(index, total - 1))
  switch (key) {
    case 'ArrowDown':
      return to(at + 1)
    case 'ArrowUp':
      return to(at - 1)
    case 'PageDown':
      return to(at + page)
    case 'PageUp':
      return to(at - page)
    case 'Home':
      return to(0)
    case 'End':
      return to(total - 1)
    default:
      return null
  }
}
