/** Where a command writes. */
export interface Output {
  /** A result: one line of JSON. */
  print(line: object): void
  /** A sentence for a person: why the command failed, or a warning. */
  printError(message: string): void
}

/** stdout and stderr of this process. */
export const processOutput: Output = {
  print: (line) => void process.stdout.write(`${JSON.stringify(line)}\n`),
  printError: (message) => void process.stderr.write(`${message}\n`),
}
