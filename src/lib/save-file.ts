/** Has the browser save `text` as a file, where it saves downloads. */
export const saveFile = (text: string, name: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has taken the text by the next turn.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
