import { loadWith, type Round as LoadRound } from './load.ts'
import { OTHER_CORES, pin } from './machine.ts'
import { Service, type Request } from './service.ts'
import { median } from './statistics.ts'
import { ADMIN } from './targets.ts'

/*
 | Changes that an administrator makes to 64 users, each with its event in the trail: by one
 | process, and by two on one database. What a second process adds shows that nothing in the
 | trail makes the processes wait for each other.
 */

export interface AuditedChanges {
  /** Changes in a second. */
  one: number
  /** Null if only one process can run. */
  two: number | null
  failed: number
}

const USERS = 64
const ROUNDS = 3
type Round = Pick<LoadRound, 'rate' | 'failed'>

const LOAD = { connections: 16, seconds: 2 }

export async function measureChanges(service: Service): Promise<AuditedChanges> {
  const requests = await prepareChanges(service)
  const one = await measureRounds([service], requests)
  if (service.target.env.DB_CONNECTION !== 'pg')
    return { one: one.rate, two: null, failed: one.failed }
  const second = await Service.start(service.target)
  pin(second.pid, OTHER_CORES)
  try {
    const two = await measureRounds([service, second], requests)
    return { one: one.rate, two: two.rate, failed: one.failed + two.failed }
  } finally {
    await second.stop()
  }
}

/** Two changes of each user, so that every request changes something. */
async function prepareChanges(service: Service) {
  const headers = await service.signIn(ADMIN)
  const ids: string[] = []
  for (let at = 0; at < USERS; at++) ids.push(await service.register(`changed${at}@example.org`))
  return ids.map((id) =>
    ['Ada', 'Grace'].map((nickname): Request => {
      const body = JSON.stringify({ nickname })
      return { method: 'PUT', path: `/users/${id}`, headers, body }
    })
  )
}

/** The median rate of the rounds after the first, and how many changes failed in them. */
async function measureRounds(services: Service[], requests: Request[][]) {
  const rounds: Round[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const measured = await changeAll(services, requests)
    if (round > 0) rounds.push(measured)
  }
  return { rate: median(rounds.map(({ rate }) => rate)), failed: sumOf(rounds, 'failed') }
}

/** Each process changes its own users. */
async function changeAll(services: Service[], requests: Request[][]) {
  const share = requests.length / services.length
  const loads = services.map((service, at) => {
    const own = requests.slice(at * share, (at + 1) * share)
    return loadWith(service, [...own.map(([a]) => a), ...own.map(([, b]) => b)], LOAD)
  })
  const results = await Promise.all(loads)
  return { rate: sumOf(results, 'rate'), failed: sumOf(results, 'failed') }
}

function sumOf(rounds: Round[], key: keyof Round) {
  return rounds.reduce((sum, round) => sum + round[key], 0)
}
