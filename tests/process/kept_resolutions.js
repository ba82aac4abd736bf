import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { flushCompileCache, registerHooks } from 'node:module'
import { join } from 'node:path'

/*
 | Preloaded into each product and each command: a start resolves 3,000 imports, always to the same
 | files, which is a sixth of its processor time. What one start has found, the next one reads
 | from a file beside the compiled code. A build or an installation of packages begins a new file.
 */

const root = join(import.meta.dirname, '../..')

const madeAt = ['build/package.json', 'node_modules/.package-lock.json'].map((path) =>
  Math.round(statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0)
)
const file = join(process.env.NODE_COMPILE_CACHE, `resolutions-${madeAt.join('-')}.json`)

/** Of each module, in one object: what it imports, and how. */
const resolutions = read()
let isComplete = true

function read() {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return {}
  }
}

/** A rename, because other processes read it meanwhile. */
function write() {
  if (isComplete) return
  isComplete = true
  const draft = `${file}.${process.pid}`
  try {
    writeFileSync(draft, JSON.stringify(resolutions))
    renameSync(draft, file)
  } catch {
    // Tests also run the product as another user, and where no file may grow.
  }
}

registerHooks({
  resolve(specifier, context, nextResolve) {
    const { parentURL, conditions, importAttributes = {} } = context
    if (!parentURL || specifier.startsWith('node:') || Object.keys(importAttributes).length > 0) {
      return nextResolve(specifier, context)
    }
    const known = (resolutions[parentURL] ??= {})
    const key = conditions.includes('import') ? specifier : `require ${specifier}`
    if (known[key]) return known[key]
    const { url, format } = nextResolve(specifier, context)
    isComplete = false
    return (known[key] = { url, format, shortCircuit: true })
  },
})

/** Most products are killed, and keep nothing when they end. */
setTimeout(() => {
  write()
  flushCompileCache()
}, 2_000).unref()
process.once('exit', write)
