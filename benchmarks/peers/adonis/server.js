import { Ignitor } from '@adonisjs/core'

/* The framework with nothing on it: what any route of it costs before it does anything. */

await new Ignitor(new URL('./', import.meta.url), {
  importer: (path) => import(path.startsWith('./') ? new URL(path, import.meta.url).href : path),
})
  .httpServer()
  .start()
