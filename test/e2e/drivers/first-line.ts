import type { ChildProcess } from 'node:child_process'

/** The first stdout line of a child. Rejects with what it wrote so far when it ends without one, or takes longer than `ms`. */
export function firstLine(child: ChildProcess, ms: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let out = ''
    let complaints = ''
    const timer = setTimeout(() => reject(new Error(`No line within ${ms} ms. ${out}${complaints}`)), ms)
    child.stdout?.on('data', (chunk: Buffer) => {
      out += chunk.toString()
      const end = out.indexOf('\n')
      if (end < 0) return
      clearTimeout(timer)
      resolve(out.slice(0, end))
    })
    child.stderr?.on('data', (chunk: Buffer) => {
      complaints += chunk.toString()
    })
    child.once('close', (code) => {
      clearTimeout(timer)
      reject(new Error(`It ended with ${code} before its first line. ${out}${complaints}`))
    })
  })
}
