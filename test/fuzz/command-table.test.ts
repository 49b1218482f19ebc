import { expect, test } from 'vitest'
import { commandArgs } from '../../electron/bridge/contract.ts'
import { commandTable } from './command-table.ts'

test('every command of the application is played, or it is said why not', () => {
  expect(Object.keys(commandTable).toSorted()).toEqual(Object.keys(commandArgs).toSorted())
})
