import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

/* Preloaded into a product: notes each module that it loads, of either kind. */

registerHooks({
  load(url, context, nextLoad) {
    appendFileSync(process.env.LOADED_MODULES, `${url}\n`)
    return nextLoad(url, context)
  },
})
