import { jsonProblem } from './json-problem.ts'

/** What is worth knowing about a value while it is typed, in one sentence, or null. It can be saved all the same. */
export const valueHint = (value: string): string | null => {
  if (value !== '' && value.trim() !== value) return 'The value starts or ends with a space, which is saved too.'
  if (!/^[[{]/.test(value) || !/[\]}]$/.test(value)) return null
  const problem = jsonProblem(value)
  if (problem === null) return null
  return `This looks like JSON but isn’t valid (line ${problem.line}, column ${problem.column}): ${problem.message}`
}
