/** The ids of other pages that are open (src/lib/page-id.ts). happy-dom has no locks. */
export const openPages = new Set<string>()

Object.defineProperty(navigator, 'locks', {
  value: { query: async () => ({ held: [...openPages].map((id) => ({ name: `holdfast.page ${id}` })) }) },
  configurable: true,
})
