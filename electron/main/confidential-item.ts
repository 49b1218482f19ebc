/** The marks by which clipboard histories of each system leave a text out, as formats of the system's clipboard and what is in them. */
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

/** What to put on the clipboard so that `text` is there for the user and in no history, by Electron's types of clipboard data. */
export function confidentialItem(platform: string, text: string): Record<string, string> {
  const formats = Object.entries(marks[platform] ?? {}).map(([format, content]) => [
    `electron application/osclipboard;format="${format}"`,
    content,
  ])
  return { 'text/plain': text, ...(Object.fromEntries(formats) as Record<string, string>) }
}
