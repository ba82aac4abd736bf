import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

/* Preloaded into a product. Records each ES and CommonJS module that the product loads. */

registerHooks({
  load(url, context, nextLoad) {
    appendFileSync(process.env.LOADED_MODULES, `${url}\n`)
    return nextLoad(url, context)
  },
})
