/** Put in by the build (electron.vite.config.ts): `--mode shipped` is for users, every other one for developers and tests. */
declare const HOLDFAST_SHIPPED: boolean

/**
 * Whether this build is for users. A constant of the build: `app.isPackaged` goes by the name of the executable, and whoever renames that would
 * open the doors for debugging.
 */
export const isShipped: boolean = HOLDFAST_SHIPPED
