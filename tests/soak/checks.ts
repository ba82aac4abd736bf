import { setTimeout as wait } from 'node:timers/promises'
import { until } from '#tests/support/waiting'
import { findAccess } from './grant_operations.ts'
import { operation, type Wire } from './wire.ts'
import type { AcknowledgedUser } from './acknowledged.ts'
import type { ApplicationRecord, EndedGrant } from './applications.ts'
import type { JsonRequest } from '#tests/process/product'
import type { Random } from './random.ts'

/* Checks at the end, when everything that the product needs is available. */

/** A busy machine refuses requests with 503 for a while. */
const ATTEMPTS = 200

interface Asking {
  wire: Wire
  random: Random
}

/** Repeats a request until it is served. */
async function ask({ wire, random }: Asking, path: string, options: JsonRequest) {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const answer = await wire.request(random, path, options)
    if (answer.status !== null && answer.status !== 503) return answer
    await wait(100)
  }
  throw new Error(`${path} did not answer`)
}

async function checkAccount(asking: Asking, { email, passwords, usernames }: AcknowledgedUser) {
  const answers = []
  for (const password of passwords)
    answers.push(await ask(asking, '/auth/login', { body: { email, password } }))
  const login = answers.find(({ status }) => status === 200)
  if (!login) return [`the account or its password was lost (${email})`]
  const { username } = login.body.user
  return usernames.includes(username)
    ? []
    : [`the name is ${username}, acknowledged was ${usernames.join(' or ')}`]
}

/** Checks that the account is as acknowledged, and that everything that was ended is refused. */
export async function checkUser(asking: Asking, user: AcknowledgedUser) {
  const found = await checkAccount(asking, user)
  for (const { token, refreshToken } of user.ended) {
    const profile = await ask(asking, '/auth/profile', { token })
    const refresh = await ask(asking, '/auth/refresh', { body: { refreshToken } })
    if (profile.status !== 401) found.push(`an ended session answers ${profile.status}`)
    if (refresh.status !== 401) found.push(`an ended refresh token answers ${refresh.status}`)
  }
  for (const token of user.revoked) {
    const { status } = await ask(asking, '/auth/profile', { token })
    if (status !== 401) found.push(`a revoked token answers ${status}`)
  }
  return found
}

/** Repeats the check until each of its requests was served. */
async function checkGrant(grant: EndedGrant, isEnded: boolean) {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const state = { isDisturbed: false }
    const found = await operation.run(state, () => findAccess(grant, isEnded))
    if (!state.isDisturbed || found.length > 0) return found
  }
  throw new Error('an ended grant got no answer')
}

export async function checkGrants({ ended, revoked }: ApplicationRecord) {
  const found: string[] = []
  for (const grant of ended) found.push(...(await checkGrant(grant, true)))
  for (const grant of revoked) found.push(...(await checkGrant(grant, false)))
  return found
}

/** A message that an outage has delayed is tried again within this time. */
const DELIVERY_MS = 60_000

/** Checks that every acknowledged end was reported to its application. */
export async function checkLogouts(awaited: string[], claims: () => Record<string, any>[]) {
  const missing = () => {
    const told = new Set(claims().map(({ sid }) => sid))
    return awaited.filter((sessionId) => !told.has(sessionId))
  }
  await until(() => missing().length === 0, DELIVERY_MS).catch(() => {})
  return missing().map((sessionId) => `the end of ${sessionId} was not told`)
}
