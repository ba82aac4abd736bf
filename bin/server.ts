import 'reflect-metadata'
import type { Server } from 'node:http'
import { Ignitor } from '@adonisjs/core'
import { drainOnSignal } from '../app/http/lifecycle.ts'
import { importFromApp, refuseToStart } from './boot.ts'
import { startTracingIfAsked } from './tracing.ts'

let http: typeof import('#http/server')
let server: Server | undefined

await startTracingIfAsked()

await new Ignitor(new URL('../', import.meta.url), { importer: importFromApp })
  .tap((app) => {
    drainOnSignal(app, () => server)
    app.booting(async () => {
      const { default: env } = await import('#start/env')
      const { protectDataDir } = await import('#setup/environment/data_dir')
      protectDataDir(env.get('DATA_DIR'))
      http = await import('#http/server')
    })
    app.ready(async () => {
      const { secondHost } = await import('#start/env')
      const { listenAlsoOn } = await import('#http/second_listener')
      if (secondHost) await listenAlsoOn(secondHost, server!, app)
    })
  })
  .httpServer()
  .start((handle) => (server = http.createHttpServer(handle)))
  .catch(refuseToStart)
