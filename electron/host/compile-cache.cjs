'use strict'
// Preloaded before any TypeScript file. Keeps what Node made of the sources and the build for the next start, in the source tree, where only
// those who may change the code can write. Without write permission Node does without.
const { join } = require('node:path')
const { enableCompileCache } = require('node:module')
enableCompileCache(join(__dirname, '../../node_modules/.cache/holdfast'))
