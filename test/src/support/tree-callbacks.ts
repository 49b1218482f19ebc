/** What the sidebar's tree calls, where a test is about something else. */
export const treeCallbacks = {
  onselect: () => undefined,
  onenter: () => undefined,
  oncreated: () => undefined,
  oncompare: () => undefined,
  onversions: () => undefined,
  fillOf: () => undefined,
}
