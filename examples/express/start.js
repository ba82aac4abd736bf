import { createApp } from './app.js'
import { discover } from './provider.js'
import { isLoopback, readSettings, SetupError } from './settings.js'

/* `npm start` runs this file. The application is in `app.js`. */

async function start() {
  const settings = readSettings()
  const { baseUrl, issuer } = settings
  await listen(createApp(settings, await discover(settings)), settings)
  console.log(`The example is at ${baseUrl.origin} and signs people in at ${issuer.origin}`)
}

function listen(app, { baseUrl, port }) {
  const host = isLoopback(baseUrl) ? 'localhost' : undefined
  return new Promise((resolve, reject) => {
    const answer = (error) => (error ? reject(explain(error, port)) : resolve())
    app.listen(port, host, answer)
  })
}

function explain(error, port) {
  if (error.code !== 'EADDRINUSE') return error
  return new SetupError(`Another program has port ${port}: stop it, or set PORT to another one,
and register the addresses with that.`)
}

try {
  await start()
} catch (error) {
  if (!(error instanceof SetupError)) throw error
  console.error(`The example cannot start. ${error.message}`)
  process.exitCode = 1
}
