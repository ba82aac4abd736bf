import { Ignitor } from '@adonisjs/core'

/* The framework without an application: the cost of any of its routes before it does anything. */

await new Ignitor(new URL('./', import.meta.url), {
  importer: (path) => import(path.startsWith('./') ? new URL(path, import.meta.url).href : path),
})
  .httpServer()
  .start()
