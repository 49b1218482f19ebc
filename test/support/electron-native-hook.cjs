'use strict'
// Loaded through NODE_OPTIONS into every process of an Electron under test, the main process and its utility processes alike.
// A runtime older than the one we ship cannot load our native modules; such a runtime may bring builds of its own in
// dist/native/node_modules of its distribution. Where it does, they stand in; everywhere else this file does nothing.
const { existsSync } = require('node:fs')
const Module = require('node:module')
const path = require('node:path')
const { pathToFileURL } = require('node:url')

const runtime = process.env.ELECTRON_OVERRIDE_DIST_PATH
const sqlite = runtime ? path.join(runtime, 'dist', 'native', 'node_modules', 'better-sqlite3', 'lib', 'index.js') : ''

if (process.versions.electron && runtime && existsSync(sqlite)) {
  const target = JSON.stringify({ url: pathToFileURL(sqlite).href, format: 'commonjs', shortCircuit: true })
  const resolve = `export const resolve = (name, context, next) => (name === 'better-sqlite3' ? ${target} : next(name, context))`
  Module.register(`data:text/javascript,${encodeURIComponent(resolve)}`)
  const waiting = process.type === 'browser' ? holdReady() : null
  const resolveFilename = Module._resolveFilename
  Module._resolveFilename = function (request, parent, isMain, options) {
    if (request === 'better-sqlite3') return sqlite
    const filename = resolveFilename.call(this, request, parent, isMain, options)
    if (isMain && path.isAbsolute(request) && !filename.includes('.asar')) waiting?.(filename)
    return filename
  }
}

/**
 * Electron is ready only after the main script, an ES module too, has run to its end; the launcher of such a runtime imports
 * the script without telling Electron to wait. Returns a function that takes the script and lets Electron go on after it.
 */
function holdReady() {
  const goOn = process.appCodeLoaded
  let script = null
  // Electron says so just before it runs the launcher, which names the script at once.
  process.appCodeLoaded = () => setImmediate(() => (script ? import(pathToFileURL(script).href).then(goOn, goOn) : goOn()))
  return (filename) => {
    script = filename
  }
}
