import { killOften } from './kill-often.ts'

/** `node test/crash/main.ts [KILLS]`: 200 kills unless said. */
const report = await killOften(Number(process.argv[2] ?? 200))
process.stdout.write(
  `${report.kills} kills; ${report.acknowledged} acknowledged edits, none missing; ${report.leftSending} changes left under way and settled by a look; ` +
    `in the end ${report.variables} variables, the same here and on the service\n`,
)
