import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import logger from '@adonisjs/core/services/logger'
import type { ApplicationService } from '@adonisjs/core/types'

/** Hands connections to the server, so that its limits, time-outs and drain apply to all. */
export async function listenAlsoOn(host: string, server: Server, app: ApplicationService) {
  const options = { allowHalfOpen: true, noDelay: true }
  const second = createServer(options, (socket) => server.emit('connection', socket))
  second.listen(Number(process.env.PORT), host)
  await once(second, 'listening')
  second.on('error', (error) => logger.error({ err: error }, `${host} accepts no connection`))
  app.terminating(() => new Promise<void>((resolve) => second.close(() => resolve())))
}
