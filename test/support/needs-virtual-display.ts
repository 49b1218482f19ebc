/** True on a Linux without any display. */
export const needsVirtualDisplay = () =>
  process.platform === 'linux' && (process.env.DISPLAY ?? '') === '' && (process.env.WAYLAND_DISPLAY ?? '') === ''
