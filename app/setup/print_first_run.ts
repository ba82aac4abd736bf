import env, { givenSettings } from '#start/env'
import { appUrl } from '#config/app'
import { setupToken } from './first_run.ts'

/** Prints even if `LOG_LEVEL` is high: the link creates the first administrator. */
export function printFirstRun() {
  if (env.get('LOG_FORMAT') === 'pretty') return printForPeople()
  const urls = {
    console: `${appUrl}/admin`,
    documentation: env.get('API_DOCS') === 'off' ? undefined : `${appUrl}/api-docs`,
    setupLink: setupToken ? linkOf(setupToken) : undefined,
  }
  const msg = `Gatehouse is ready at ${appUrl}`
  console.log(JSON.stringify({ level: 'info', time: new Date(), name: 'gatehouse', msg, ...urls }))
}

function linkOf(token: string) {
  return `${appUrl}/admin/setup?token=${token}`
}

function printForPeople() {
  const lines = [
    `Gatehouse is ready at ${appUrl}`,
    `  API            ${appUrl}/auth`,
    `  Console        ${appUrl}/admin`,
    ...(env.get('API_DOCS') === 'off' ? [] : [`  Documentation  ${appUrl}/api-docs`]),
  ]
  if (setupToken) {
    lines.push('', 'There is no administrator yet. Create the first one with this link, once:')
    lines.push(`  ${linkOf(setupToken)}`)
  }
  lines.push('', `Commands: ${[...ownSettings(), 'npm run ace -- list'].join(' ')}`)
  console.log(lines.join('\n'))
}

/** Returns settings that no `.env` file keeps: without them, commands use another installation. */
function ownSettings() {
  return SHARED_SETTINGS.filter((name) => givenSettings.has(name)).map(
    (name) => `${name}=${env.get(name)}`
  )
}

const SHARED_SETTINGS = ['DATA_DIR', 'PORT', 'APP_URL'] as const
