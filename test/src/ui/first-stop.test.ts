// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest'
import { firstStop } from '../../../src/ui/dialog/first-stop.ts'

afterEach(() => document.body.replaceChildren())

const header = '<header><h2>Title</h2><button id="close">×</button></header>'
const foot = '<footer><button id="cancel">Cancel</button><button id="go">Go</button></footer>'

test.each([
  ['the first field', `<input id="name"><input id="slug">${foot}`, 'name'],
  ['a text area', `<button id="other">x</button><textarea id="text"></textarea>${foot}`, 'text'],
  ['no field for files', `<input type="file" id="file">${foot}`, 'go'],
  ['no field that takes nothing', `<input id="off" disabled><select id="pick"></select>${foot}`, 'pick'],
  ['the chosen radio button', `<input type="radio" id="a" name="r"><input type="radio" id="b" name="r" checked>${foot}`, 'b'],
  ['the first radio button where none is chosen', `<input type="radio" id="a" name="r"><input type="radio" id="b" name="r">${foot}`, 'a'],
  [
    'the chosen part of a row of words',
    `<button role="radio" id="a" aria-checked="false"></button><button role="radio" id="b" aria-checked="true"></button>`,
    'b',
  ],
  ['the tab that is open', `<button role="tab" id="a" aria-selected="false"></button><button role="tab" id="b" aria-selected="true">`, 'b'],
  ['the main button', `<p>Words</p>${foot}`, 'go'],
  ['no main button that takes nothing', `<footer><button id="cancel">Cancel</button><button disabled>Go</button></footer>`, 'cancel'],
  ['no button that does harm', `<footer><button id="cancel">Cancel</button><button class="danger">Delete</button></footer>`, 'cancel'],
  ['itself, where there is nothing but the way out', '<p>Words</p>', 'dialog'],
  ['itself, until a field that comes takes the keyboard', `<div data-autofocus="true"></div>${foot}`, 'dialog'],
])('a dialog begins at %s', (_, content, id) => {
  document.body.innerHTML = `<div id="dialog" tabindex="-1">${header}${content}</div>`
  const dialog = document.querySelector<HTMLElement>('#dialog')
  if (dialog === null) throw new Error('no dialog')
  expect(firstStop(dialog).id).toBe(id)
})

test('what took the keyboard already keeps it', () => {
  document.body.innerHTML = `<div id="dialog" tabindex="-1">${header}<input id="name"><button id="here">x</button>${foot}</div>`
  document.querySelector<HTMLElement>('#here')?.focus()
  const dialog = document.querySelector<HTMLElement>('#dialog')
  expect(dialog && firstStop(dialog).id).toBe('here')
})
