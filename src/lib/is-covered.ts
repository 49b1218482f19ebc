/** Whether a dialog or menu lies over the window: keys of what is below it rest. */
export const isCovered = (): boolean => document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null
