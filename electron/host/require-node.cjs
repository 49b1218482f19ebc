'use strict'
// Preloaded before any TypeScript file: an older Node could not even read the sentence below if it stood in one.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `Holdfast needs Node 22.18 or newer, and this is Node ${process.versions.node}. Install Node 26 from https://nodejs.org, then start again.\n`,
  )
  process.exit(1)
}
