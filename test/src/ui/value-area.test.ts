// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import ValueArea from '../../../src/ui/value-area/ValueArea.svelte'
import { fieldOf, mounted, settled, type } from '../support/mounted.ts'

test.each([true, false])(
  'a value is seen whole in a browser that sizes fields by their content (%s), or is told their size',
  async (sizes) => {
    vi.stubGlobal('CSS', { supports: () => sizes })
    vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockImplementation(function (this: HTMLElement) {
      return this instanceof HTMLTextAreaElement ? 6 + 20 * this.value.split('\n').length : 0
    })
    const field = fieldOf(mounted(ValueArea, { label: 'Value', value: 'a' } as never), 'Value')
    await settled()
    type(field, 'a\nb\nc')
    await settled()
    expect(field.style.height).toBe(sizes ? '' : '66px')
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  },
)
