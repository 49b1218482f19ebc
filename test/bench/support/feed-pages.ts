interface FeedPage {
  items: { id: string; resource: string; record: Record<string, unknown> | null }[]
  nextCursor: string
  more: boolean
}

/** The whole change feed of a service, 1,000 records a page. */
export async function* feedPages(url: string, apiKey: string): AsyncGenerator<FeedPage> {
  let cursor = ''
  for (;;) {
    const response = await fetch(`${url}/changes?limit=1000${cursor}`, { headers: { authorization: `Bearer ${apiKey}` } })
    const page = (JSON.parse(await response.text()) as { data: FeedPage }).data
    yield page
    if (!page.more) return
    cursor = `&cursor=${page.nextCursor}`
  }
}
