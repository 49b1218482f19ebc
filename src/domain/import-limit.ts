/** The largest text an import takes, in bytes of UTF-8. The bridge holds the same number; a test compares them. */
export const importLimitBytes = 5 * 1024 * 1024

/** Why a file or paste of `bytes` bytes is refused, as one sentence, or null. */
export const importSizeProblem = (bytes: number): string | null =>
  bytes > importLimitBytes
    ? `This is ${(bytes / 1024 / 1024).toFixed(1)} MiB; an import takes at most 5 MiB. Split the file and import the parts.`
    : null
