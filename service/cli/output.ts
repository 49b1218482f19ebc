/** Where a command writes. */
export interface Output {
  /** A result: an object is a line of JSON, a text stays as it is. */
  print(result: object | string): void
  /** A sentence for a person: why the command failed, or a warning. */
  printError(message: string): void
}

/** stdout and stderr of this process. */
export const processOutput: Output = {
  print: (result) => void process.stdout.write(`${typeof result === 'string' ? result : JSON.stringify(result)}\n`),
  printError: (message) => void process.stderr.write(`${message}\n`),
}
