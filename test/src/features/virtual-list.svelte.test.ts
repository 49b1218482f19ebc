import { createRawSnippet, flushSync, mount, unmount } from 'svelte'
import { expect, test } from 'vitest'
import VirtualList from '../../../src/ui/virtual-list/VirtualList.svelte'

test('going to the top holds even if other rows come before the scroll event', async () => {
  const view = $state({ names: Array.from({ length: 100 }, (_, at) => `V_${at}`) })
  const row = createRawSnippet(() => ({ render: () => '<span></span>' }))
  const anchor = {
    idAt: (index: number) => view.names[index],
    indexOf: (id: string) => (view.names.includes(id) ? view.names.indexOf(id) : null),
  }
  const list = mount(VirtualList, { target: document.body, props: { total: 100, rowHeight: 10, row, anchor } })
  const scroller = document.querySelector<HTMLElement>('.scroller')
  if (scroller === null) throw new Error('no list')
  flushSync()
  scroller.scrollTop = 200
  scroller.dispatchEvent(new Event('scroll'))
  flushSync()
  list.toTop()
  view.names = view.names.toReversed()
  flushSync()
  expect(scroller.scrollTop).toBe(0)
  await unmount(list)
})
