/**
 * True when every test is to run on both shells, with all pictures (HOLDFAST_E2E=all). Else Electron runs those marked `@shell`, and
 * pictures are left out.
 */
export const runsAll = process.env['HOLDFAST_E2E'] === 'all'
