import type { MenuItemConstructorOptions } from 'electron'

/** The application menu: standard roles with the platform's accelerators. Developer tools are only in a source tree. */
export function menuTemplate(platform: string, isShipped: boolean): MenuItemConstructorOptions[] {
  const mac = platform === 'darwin'
  const developer: MenuItemConstructorOptions[] = isShipped ? [] : [{ type: 'separator' }, { role: 'reload' }, { role: 'toggleDevTools' }]
  return [
    ...(mac ? [{ role: 'appMenu' } as const] : []),
    { label: '&File', submenu: [mac ? { role: 'close' } : { role: 'quit', accelerator: 'Ctrl+Q' }] },
    { role: 'editMenu', label: '&Edit' },
    {
      label: '&View',
      submenu: [
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
        ...developer,
      ],
    },
    { role: 'windowMenu', label: '&Window' },
  ]
}
