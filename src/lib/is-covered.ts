/** Whether a dialog or menu is open over the window: shortcuts of the window are then off. */
export const isCovered = (): boolean => document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null
