'use strict'
// Preloaded before any TypeScript file: an older Node could not even read the sentences below if they stood in one.
const { existsSync } = require('node:fs')
const { join } = require('node:path')
const [major, minor] = process.versions.node.split('.').map(Number)
const fault = !existsSync(join(__dirname, '../../node_modules'))
  ? 'Run npm ci here first. It brings the packages of Holdfast, and the Node that it runs on.'
  : major < 22 || (major === 22 && minor < 18)
    ? `Holdfast needs Node 22.18 or newer, and this is Node ${process.versions.node}. Install Node 26 from https://nodejs.org, then start again.`
    : null
if (fault !== null) {
  process.stderr.write(`${fault}\n`)
  process.exit(1)
}
