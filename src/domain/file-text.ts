import { importSizeProblem } from './import-limit.ts'

/** The text of a dropped or chosen file, or why it cannot be imported. A file that is too large is not read at all. */
export const fileText = async (
  file: Pick<File, 'name' | 'size' | 'arrayBuffer'>,
): Promise<{ ok: true; text: string } | { ok: false; problem: string }> => {
  const problem = importSizeProblem(file.size)
  if (problem !== null) return { ok: false, problem: `${file.name}: ${problem}` }
  try {
    const bytes = await file.arrayBuffer()
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch (error) {
    if (error instanceof TypeError) return { ok: false, problem: `${file.name} isn’t UTF-8 text. Save it as UTF-8, then import it again.` }
    return { ok: false, problem: `${file.name} couldn’t be read. Check that it still exists and that you can open it.` }
  }
}
