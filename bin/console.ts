import 'reflect-metadata'
import { Ignitor } from '@adonisjs/core'
import { importFromApp, refuseToStart } from './boot.ts'

await new Ignitor(new URL('../', import.meta.url), { importer: importFromApp })
  .tap((app) => {
    app.booting(async () => {
      await import('#start/env')
    })
    app.listen('SIGTERM', () => app.terminate())
  })
  .ace()
  .handle(process.argv.slice(2))
  .catch(refuseToStart)
