import { jsonProblem } from './json-problem.ts'

/** The warning about a value while it is typed, as one sentence, or null. It can still be saved. */
export const valueHint = (value: string): string | null => {
  if (value !== '' && value.trim() !== value) return 'The value starts or ends with a space, which is saved too.'
  if (!/^[[{]/.test(value) || !/[\]}]$/.test(value)) return null
  const problem = jsonProblem(value)
  if (problem === null) return null
  return `This looks like JSON but isn’t valid (line ${problem.line}, column ${problem.column}): ${problem.message}`
}
