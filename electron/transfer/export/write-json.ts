import type { ExportFormat } from './export-entry.ts'
import { plainScalar } from './plain-scalar.ts'

/** A JSON object, numbers and booleans as such. It carries any name and any value. */
export const jsonFormat: ExportFormat = {
  ending: '.json',
  refusal: () => null,
  write: (entries) =>
    entries.length === 0
      ? '{}\n'
      : `{\n${entries.map((entry) => `  ${JSON.stringify(entry.name)}: ${plainScalar(entry) ?? JSON.stringify(entry.value)}`).join(',\n')}\n}\n`,
}
