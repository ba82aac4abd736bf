import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { flushCompileCache, registerHooks } from 'node:module'
import { join } from 'node:path'

/*
 | Preloaded into each product and each command. A start resolves 3,000 imports, always to the same
 | files, which takes a sixth of its processor time. The next start reads the results from a file
 | beside the compiled code. A build or an installation of packages starts a new file.
 */

const root = join(import.meta.dirname, '../..')

const madeAt = ['build/package.json', 'node_modules/.package-lock.json'].map((path) =>
  Math.round(statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0)
)
const file = join(process.env.NODE_COMPILE_CACHE, `resolutions-${madeAt.join('-')}.json`)

/** One object for each module: what the module imports, and how. */
const resolutions = read()
let isComplete = true

function read() {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return {}
  }
}

/** Renames the draft, because other processes read the file at the same time. */
function write() {
  if (isComplete) return
  isComplete = true
  const draft = `${file}.${process.pid}`
  try {
    writeFileSync(draft, JSON.stringify(resolutions))
    renameSync(draft, file)
  } catch {
    // Tests also run the product as another user, and where files cannot grow.
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

/** Most products are killed, and would write nothing when they end. */
setTimeout(() => {
  write()
  flushCompileCache()
}, 2_000).unref()
process.once('exit', write)
