// @vitest-environment happy-dom
import { syntaxTree, type StreamLanguage } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { expect, test } from 'vitest'
import { envLanguage } from '../../../src/ui/code-editor/env-language.ts'
import { yamlLanguage } from '../../../src/ui/code-editor/yaml-language.ts'

/** The parts of a text that have a colour, as `kind:text`. */
const tokens = (language: StreamLanguage<never>, text: string): string[] => {
  const state = EditorState.create({ doc: text, extensions: [EditorState.lineSeparator.of('\n'), language] })
  const found: string[] = []
  syntaxTree(state).iterate({
    enter: ({ name, from, to }) => {
      if (name !== 'Document') found.push(`${name}:${text.slice(from, to).trim()}`)
    },
  })
  return found
}

test.each([
  ['PORT: 8080', ['propertyName:PORT', 'punctuation::', 'number:8080']],
  ['ON: true', ['propertyName:ON', 'punctuation::', 'keyword:true']],
  ['A: true story', ['propertyName:A', 'punctuation::', 'string:true story']],
  ['URL: https://example.com # why', ['propertyName:URL', 'punctuation::', 'string:https://example.com', 'comment:# why']],
  ['"odd name": "a # b"', ['propertyName:"odd name"', 'punctuation::', 'string:"a # b"']],
  [
    'TEXT: |-\n  one: 1\n  two\nNEXT: a',
    [
      'propertyName:TEXT',
      'punctuation::',
      'punctuation:|-',
      'string:one: 1',
      'string:two',
      'propertyName:NEXT',
      'punctuation::',
      'string:a',
    ],
  ],
  ['two words : a', ['propertyName:two words', 'punctuation::', 'string:a']],
  ['---\n- one', ['punctuation:---', 'punctuation:-', 'string:one']],
])('YAML %j has colours', (text, expected) => {
  expect(tokens(yamlLanguage as StreamLanguage<never>, text)).toEqual(expected)
})

test.each([
  ['# note\nexport A=b # why', ['comment:# note', 'keyword:export', 'propertyName:A', 'punctuation:=', 'string:b', 'comment:# why']],
  ['A="one\ntwo"\nB=c', ['propertyName:A', 'punctuation:=', 'string:"one', 'string:two"', 'propertyName:B', 'punctuation:=', 'string:c']],
])('.env %j has colours', (text, expected) => {
  expect(tokens(envLanguage as StreamLanguage<never>, text)).toEqual(expected)
})

// A file of someone else can hold such a line. A quadratic pattern takes hours for it, until the time limit of the run ends it.
test.each([
  { name: 'YAML', language: yamlLanguage as StreamLanguage<never> },
  { name: '.env', language: envLanguage as StreamLanguage<never> },
])('a line of a megabyte of spaces in $name is coloured too', ({ language }) => {
  expect(tokens(language, `a${' '.repeat(1_000_000)}x`)).not.toEqual([])
})
