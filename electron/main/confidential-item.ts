/** The formats, with their content, that tell the clipboard histories of each system to leave a text out. */
const marks: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // https://learn.microsoft.com/windows/win32/dataxchg/clipboard-formats#cloud-clipboard-and-clipboard-history-formats
  win32: {
    ExcludeClipboardContentFromMonitorProcessing: '1',
    CanIncludeInClipboardHistory: '\0\0\0\0',
    CanUploadToCloudClipboard: '\0\0\0\0',
  },
  // https://nspasteboard.org
  darwin: { 'org.nspasteboard.ConcealedType': '1' },
  // Klipper and those that follow it.
  linux: { 'x-kde-passwordManagerHint': 'secret' },
}

/**
 * Returns what to put on the clipboard, by Electron's types of clipboard data, so that the user can paste `text` and no history keeps it.
 */
export function confidentialItem(platform: string, text: string): Record<string, string> {
  const formats = Object.entries(marks[platform] ?? {}).map(([format, content]) => [
    `electron application/osclipboard;format="${format}"`,
    content,
  ])
  return { 'text/plain': text, ...(Object.fromEntries(formats) as Record<string, string>) }
}
