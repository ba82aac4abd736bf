import './small_heap.ts'
import 'reflect-metadata'
import { Ignitor } from '@adonisjs/core'
import { type BaseCommand, ListCommand } from '@adonisjs/core/ace'
import { Exception } from '@adonisjs/core/exceptions'
import { showHelp } from '#commands/_help'
import { importFromApp, refuseToStart, refuseUsage } from './boot.ts'

/** A reader such as `head` closes the pipe after the first lines, which is not an error. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1)
})

function refuseUnknownNamespace(command: BaseCommand) {
  if (!(command instanceof ListCommand)) return
  const known = command.kernel.getNamespaces()
  const unknown = command.namespaces?.find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw new Exception(`No command begins with ${unknown}`, { code: 'E_INVALID_ARG' })
}

await new Ignitor(new URL('../', import.meta.url), { importer: importFromApp })
  .tap((app) => {
    app.booting(async () => {
      await import('#start/env')
    })
    app.listen('SIGTERM', () => app.terminate())
  })
  .ace()
  .configure(async (app) => {
    const kernel = await app.container.make('ace')
    kernel.errorHandler = { render: refuseUsage }
    kernel.on('help', showHelp)
    kernel.executing(refuseUnknownNamespace)
    if (process.env.NODE_ENV === 'production') kernel.info.set('binary', 'npm run -s ace --')
  })
  .handle(process.argv.slice(2))
  .catch(refuseToStart)
