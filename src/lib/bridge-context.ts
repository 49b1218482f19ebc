import { createContext } from 'svelte'
import type { Bridge } from '../../electron/bridge/bridge.ts'

const [get, set] = createContext<Bridge>()

/** Gives every component below the way to the application. */
export const setBridge = set

/** The way to the application. Call while a component is being made. */
export const getBridge = get
