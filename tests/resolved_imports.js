import { registerHooks } from 'node:module'

/*
 | The hooks of ts-exec run in a thread of their own. Each dynamic import asks it for a path, even
 | of a loaded module: a fifth of the time of a run. Here each path is resolved once.
 */
const resolutions = new Map()

registerHooks({
  resolve(specifier, context, nextResolve) {
    const { parentURL, conditions = [], importAttributes = {} } = context
    if (Object.keys(importAttributes).length > 0) return nextResolve(specifier, context)
    const key = [specifier, parentURL, ...conditions].join('\n')
    const known = resolutions.get(key)
    if (known) return known
    const resolution = { ...nextResolve(specifier, context), shortCircuit: true }
    resolutions.set(key, resolution)
    return resolution
  },
})
