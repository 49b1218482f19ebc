import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'

const boundsSchema = z.strictObject({ x: z.int(), y: z.int(), width: z.int().min(1), height: z.int().min(1), maximized: z.boolean() })

/** Where the window was, in device-independent pixels of the whole desktop. */
export type WindowBounds = z.infer<typeof boundsSchema>
export type Rectangle = Pick<WindowBounds, 'x' | 'y' | 'width' | 'height'>

export const smallestWindow = { width: 720, height: 480 }
const firstWindow = { width: 1200, height: 800 }

/** The bounds kept in `file`, or null when there are none that can be read. */
export function readBounds(file: string): WindowBounds | null {
  try {
    return boundsSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}

/** Keeps `bounds` in `file`. Never throws: if the folder can't be written, only the window's position is lost. */
export function writeBounds(file: string, bounds: WindowBounds): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(`${file}.new`, JSON.stringify(bounds))
    renameSync(`${file}.new`, file)
  } catch {
    // See above.
  }
}

/**
 * Returns the bounds to open with: `kept`, if the user can reach enough of it on a present display (`areas`, the main one first), but no
 * larger than that display. Otherwise the default size, placed by the system.
 */
export function fitBounds(kept: WindowBounds | null, areas: readonly Rectangle[]): Partial<Rectangle> & { width: number; height: number } {
  const area = kept && areas.find((display) => shares(kept, display))
  if (!kept || !area) {
    const main = areas[0] ?? { x: 0, y: 0, ...firstWindow }
    return { width: Math.min(firstWindow.width, main.width), height: Math.min(firstWindow.height, main.height) }
  }
  const width = Math.min(Math.max(kept.width, smallestWindow.width), area.width)
  const height = Math.min(Math.max(kept.height, smallestWindow.height), area.height)
  return { width, height, x: clamp(kept.x, area.x, area.x + area.width - width), y: clamp(kept.y, area.y, area.y + area.height - height) }
}

const clamp = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high)

const grip = 64

function shares(window: Rectangle, display: Rectangle): boolean {
  const wide = Math.min(window.x + window.width, display.x + display.width) - Math.max(window.x, display.x)
  const high = Math.min(window.y + window.height, display.y + display.height) - Math.max(window.y, display.y)
  return wide >= grip && high >= grip
}
