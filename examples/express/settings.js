import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A fault that you can fix. The message says how. */
export class SetupError extends Error {}

/** Reads the settings from the environment, or from the file `.env` beside this one. */
export function readSettings() {
  const file = fileURLToPath(new URL('.env', import.meta.url))
  if (existsSync(file)) process.loadEnvFile(file)
  const { ISSUER, CLIENT_ID, CLIENT_SECRET, BASE_URL, PORT } = process.env
  const port = Number(PORT || 4000)
  const baseUrl = address('BASE_URL', BASE_URL || `http://localhost:${port}`)
  const required = { ISSUER, CLIENT_ID, CLIENT_SECRET }
  const missing = Object.keys(required).filter((name) => !required[name])
  if (missing.length > 0) throw new SetupError(howToSetUp(missing, baseUrl))
  const issuer = address('ISSUER', ISSUER)
  return { issuer, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, baseUrl, port }
}

/** Allows plain http only on this machine: a network in between could read codes and cookies. */
function address(name, value) {
  const url = URL.canParse(value) ? new URL(value) : null
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url))) return url
  throw new SetupError(`${name} has to be an https address, or http on this machine: ${value}`)
}

export function isLoopback({ hostname }) {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}

function howToSetUp(missing, baseUrl) {
  const at = (path) => new URL(path, baseUrl).href
  return `${missing.join(', ')}: not set.

Register the example in the folder of Gatehouse:

  npm run ace -- client:create --name=Example --kind=first_party \\
    --redirect-uri=${at('/callback')} \\
    --post-logout-redirect-uri=${at('/')} \\
    --backchannel-logout-uri=${at('/backchannel-logout')}

Then write what it prints to .env (see .env.example), or before the command:

  ISSUER=http://localhost:3333 CLIENT_ID=… CLIENT_SECRET=… npm start`
}
