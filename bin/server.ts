import 'reflect-metadata'
import type { Server } from 'node:http'
import { Ignitor } from '@adonisjs/core'
import { drainOnSignal } from '../app/http/lifecycle.ts'
import { importFromApp, refuseToStart } from './boot.ts'

let edge: typeof import('#http/server')
let server: Server | undefined

await new Ignitor(new URL('../', import.meta.url), { importer: importFromApp })
  .tap((app) => {
    drainOnSignal(app, () => server)
    app.booting(async () => {
      await import('#start/env')
      edge = await import('#http/server')
    })
  })
  .httpServer()
  .start((handle) => (server = edge.createHttpServer(handle)))
  .catch(refuseToStart)
