import { mount, unmount, type Component } from 'svelte'

/** An icon of the package, which takes its size and stroke as properties. */
export type IconComponent = Component<{ size?: number | string; strokeWidth?: number | string }>

const templates = new WeakMap<IconComponent, Map<string, Element>>()

/** An icon as an element to be cloned. The package works each one out anew, which takes longer than all else of a row; here that happens once a look. */
export const iconTemplate = (icon: IconComponent, size: number, strokeWidth: number): Element => {
  const looks = templates.get(icon) ?? new Map<string, Element>()
  templates.set(icon, looks)
  const look = `${size} ${strokeWidth}`
  const found = looks.get(look)
  if (found !== undefined) return found
  const target = document.createElement('div')
  const app = mount(icon, { target, props: { size, strokeWidth } })
  const template = target.firstElementChild?.cloneNode(true)
  void unmount(app)
  if (!(template instanceof Element)) throw new Error('An icon draws one element.')
  looks.set(look, template)
  return template
}
