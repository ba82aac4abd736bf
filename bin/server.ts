import 'reflect-metadata'
import { Ignitor } from '@adonisjs/core'
import { importFromApp, refuseToStart } from './boot.ts'

let createHttpServer: typeof import('#start/http_server').createHttpServer

await new Ignitor(new URL('../', import.meta.url), { importer: importFromApp })
  .tap((app) => {
    app.booting(async () => {
      await import('#start/env')
      const edge = await import('#start/http_server')
      createHttpServer = edge.createHttpServer
    })
    app.listen('SIGTERM', () => app.terminate())
    app.listen('SIGINT', () => app.terminate())
  })
  .httpServer()
  .start((handle) => createHttpServer(handle))
  .catch(refuseToStart)
