import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'

/** Workflows cannot run here, so GitHub's own parser reads them and what it cannot know is checked by hand. */

// The parser imports its schema as bundlers do, without saying that it is JSON, which Node wants said.
registerHooks({
  resolve: (name, context, next) => ({ ...next(name, context), ...(name.endsWith('.json') ? { importAttributes: { type: 'json' } } : {}) }),
})
const { NoOperationTraceWriter, parseWorkflow } = await import('@actions/workflow-parser')

const root = path.resolve(import.meta.dirname, '../..')
const folder = path.join(root, '.github/workflows')
const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))

const permissions = z.record(z.string(), z.enum(['read', 'write', 'none']))
const workflowSchema = z.object({
  permissions,
  jobs: z.record(
    z.string(),
    z.object({
      uses: z.string().optional(),
      'timeout-minutes': z.int().optional(),
      permissions: permissions.optional(),
      steps: z.array(z.object({ uses: z.string().optional(), run: z.string().optional() })).default([]),
    }),
  ),
})

/** What is wrong with the text of a workflow, in sentences. */
function problems(text: string): string[] {
  const { context } = parseWorkflow({ name: 'workflow.yml', content: text }, new NoOperationTraceWriter())
  const errors = context.errors.getErrors().map(({ message }) => message)
  const workflow = workflowSchema.safeParse(parse(text))
  if (!workflow.success) return [...errors, z.prettifyError(workflow.error)]
  const { permissions: granted, jobs } = workflow.data
  const said: string[] = []
  if (JSON.stringify(granted) !== '{"contents":"read"}')
    said.push('A job gets more than it asks for: the workflow grants contents: read alone.')
  for (const [name, job] of Object.entries(jobs)) {
    if (job.uses === undefined && job['timeout-minutes'] === undefined) said.push(`Job ${name} has no timeout-minutes.`)
    for (const used of [job.uses, ...job.steps.map((step) => step.uses)])
      if (used !== undefined && !used.startsWith('./') && !/@[0-9a-f]{40}$/.test(used))
        said.push(`${used} is not pinned by its full commit hash.`)
    for (const { run } of job.steps) if (run !== undefined && !canRunByHand(run)) said.push(`No script of this project is "${run}".`)
  }
  for (const line of text.split('\n'))
    if (/uses: [^.]/.test(line) && !/ # v\d+\.\d+\.\d+$/.test(line)) said.push(`${line.trim()} does not say its version.`)
  return [...errors, ...said]
}

/** One line: a command of npm's own, a script of package.json, or a file of .ci. */
function canRunByHand(run: string): boolean {
  const [, script, file] = /^(?:npm (?:ci|test|audit --omit=dev)|npm run (\S+)(?: -- .*)?|(?:sudo )?bash (\.ci\/\S+)(?: .*)?)$/.exec(
    run,
  ) ?? ['', '', '']
  if (script === '') return false
  if (script !== undefined) return script in scripts
  return file === undefined || existsSync(path.join(root, file))
}

test.each(readdirSync(folder))('GitHub can read %s, its actions are pinned and its steps can be run by hand', (file) => {
  expect(problems(readFileSync(path.join(folder, file), 'utf8'))).toEqual([])
})

describe('what is wrong is found', () => {
  const good = `on: push
permissions:
  contents: read
jobs:
  build:
    runs-on: ubuntu-24.04
    timeout-minutes: 5
    steps:
      - uses: actions/checkout@${'a'.repeat(40)} # v1.0.0
      - run: npm ci
`
  const rows: [what: string, from: string, to: string, said: RegExp][] = [
    ['an unknown key', 'runs-on', 'run-on', /run-on/],
    ['an unknown event', 'on: push', 'on: pushed', /pushed/],
    ['an unknown context', 'npm ci', 'npm ci ${{ secret.TOKEN }}', /secret/],
    ['an action by its tag', `@${'a'.repeat(40)} #`, '@v1 #', /full commit hash/],
    ['an action without its version', ' # v1.0.0', '', /version/],
    ['no timeout', '    timeout-minutes: 5\n', '', /timeout-minutes/],
    ['more permissions', 'contents: read', 'contents: write', /contents: read alone/],
    ['a script that is missing', 'npm ci', 'npm run no-such-script', /No script/],
    ['a step of many lines', 'npm ci', '|\n          npm ci\n          echo done', /No script/],
  ]

  test('nothing, where nothing is', () => expect(problems(good)).toEqual([]))

  test.each(rows)('%s', (_, from, to, said) => {
    expect(problems(good.replace(from, to)).join('\n')).toMatch(said)
  })
})
