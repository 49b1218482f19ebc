'use strict'
// Preloaded by the npm scripts. npm passes a SIGTERM to its shell, which ends without passing it on: what it ran would go on alone.
const { isMainThread } = require('node:worker_threads')
const checkMs = 1000
if (isMainThread && process.env.npm_lifecycle_event !== undefined) {
  const shell = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, checkMs)
  timer.unref()
}
