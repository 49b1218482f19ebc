import type { PaletteItem } from '../../domain/palette-groups.ts'

const most = 6

/** The last choices in the palette, newest first, while the window is open. */
class Recent {
  items = $state.raw<readonly PaletteItem[]>([])

  add(item: PaletteItem): void {
    const rest = this.items.filter((other) => other.key !== item.key)
    this.items = [{ ...item, ranges: [] }, ...rest].slice(0, most)
  }
}

export const recent = new Recent()
