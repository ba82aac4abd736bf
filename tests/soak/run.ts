import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { bootSettings } from './boot.ts'
import { buildProduct } from './build.ts'
import { Random } from './random.ts'

/*
 | `npm run soak -- --seconds=600`: two processes under a bounded load, on Postgres and Redis for
 | two thirds of the time and then on SQLite. Each part is killed, frozen, locked or full in turn.
 | Every request has one answer, and no process ends by itself. At the end, every acknowledged
 | change exists with its sealed event. A webhook received every event, and no other. Nothing that
 | was acknowledged as ended is accepted, and deleted users are in no row and no file.
 */

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    clients: { type: 'string', default: '4' },
    seed: { type: 'string', default: String(randomInt(2 ** 32)) },
  },
})

/** Shares of the time. The first installation has more parts. */
const SHARES = [2 / 3, 1 / 3]

buildProduct()
await bootSettings()
const { INSTALLATIONS } = await import('./installation.ts')
const { Round } = await import('./round.ts')
console.log(`seed ${values.seed}`)
const random = new Random(Number(values.seed))
const clients = Number(values.clients)
const reports = []

for (const [index, start] of INSTALLATIONS.entries()) {
  const installation = await start()
  try {
    const seconds = Number(values.seconds) * SHARES[index]
    const report = await new Round(installation, { random: random.fork(), seconds, clients }).run()
    console.log(JSON.stringify(report, null, 2))
    reports.push(report)
  } finally {
    await installation.remove()
  }
}

const kills = reports.reduce((total, { faults }) => total + (faults['app killed'] ?? 0), 0)
console.log(`${kills} kills`)

/** A run without faults, or in which nothing was acknowledged as ended, proves nothing. */
const isVacuous = reports.every(
  ({ faults, endedSessions, revokedTokens, endedGrants }) =>
    Object.keys(faults).length === 0 || endedSessions + revokedTokens + endedGrants === 0
)
const hasViolations = reports.some(({ violations }) => violations.length > 0)
process.exit(isVacuous || hasViolations ? 1 : 0)
