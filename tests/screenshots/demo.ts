import { DateTime } from 'luxon'
import { v7 as uuidv7 } from 'uuid'
import db from '@adonisjs/lucid/services/db'
import { recordAudit } from '#audit/record_audit'
import type { AuditedType } from '#events/event_types'
import { anonymousActor, userActor, type Actor } from '#audit/actor'
import { addUser } from '#users/add_user'
import { insertUser } from '#users/insert_user'
import { hashPassword } from '#auth/passwords/password_hash'
import { BY_PASSWORD } from '#auth/sessions/authentication'
import { startSession } from '#auth/sessions/sessions'
import { lockUser } from '#users/lock_user'
import { markChecklist } from '#users/installation'
import { changeRole } from '#users/change_role'
import { disableUser } from '#users/disable_user'
import { updateUser } from '#users/update_user'
import type User from '#models/user'

/*
 | The data of a small company over a month, for screenshots. The product itself writes it, while
 | the clock is moved.
 */

export const ADMIN = { email: 'grace.hopper@example.org', password: 'Correct-h0rse!' }

const NAMES =
  `Grace Hopper, Ada Lovelace, Alan Turing, Katherine Johnson, Edsger Dijkstra, Barbara Liskov,
  Donald Knuth, Radia Perlman, Tim Berners-Lee, Margaret Hamilton, Dennis Ritchie, Frances Allen, John Backus,
  Shafi Goldwasser, Leslie Lamport, Hedy Lamarr, Claude Shannon, Joan Clarke, Vint Cerf, Mary Jackson,
  Niklaus Wirth, Sophie Wilson, Ken Thompson, Adele Goldberg, Linus Torvalds, Karen Spärck Jones, Bjarne Stroustrup,
  Evelyn Boyd Granville, Guido van Rossum, Lynn Conway, Yukihiro Matsumoto, Jean Bartik, James Gosling,
  Annie Easley, Larry Wall, Dorothy Vaughan, Brian Kernighan, Susan Kare, Douglas Engelbart, Elizabeth Feinler,
  Whitfield Diffie, Stephanie Shirley, Martin Hellman, Kathleen Booth, Ralph Merkle, Anita Borg, Ron Rivest,
  Erna Hoover, Adi Shamir, Ida Rhodes, Leonard Adleman, Mary Kenneth Keller`
    .split(',')
    .map((name) => name.trim())

const AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 15_1) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
  'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
]

const DAY_MS = 86_400_000
const realNow = Date.now

/** Returns a number that looks random and is the same in every run. */
function noise(seed: number) {
  const value = Math.sin(seed * 12.9898) * 43_758.5453
  return value - Math.floor(value)
}

async function at<T>(instant: number, act: () => Promise<T>) {
  Date.now = () => Math.floor(instant)
  try {
    return await act()
  } finally {
    Date.now = realNow
  }
}

function deviceOf(seed: number) {
  const ip = `203.0.113.${1 + Math.floor(noise(seed) * 250)}`
  return { id: 'default', ip, userAgent: AGENTS[Math.floor(noise(seed + 7) * AGENTS.length)] }
}

function emailOf(name: string) {
  const ascii = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return `${ascii.replace(/[^a-z]+/g, '.')}@example.org`
}

async function record(action: AuditedType, actor: Actor, user: User, details = {}) {
  const outcome = /failed|locked/.test(action) ? ('failure' as const) : ('success' as const)
  await db.transaction((trx) =>
    recordAudit({ action, actor, targetId: user.id, outcome, details }, trx)
  )
}

async function createUsers(now: number) {
  const hash = await hashPassword(ADMIN.password)
  const users: User[] = []
  for (const [index, name] of NAMES.entries()) {
    const joined = now - (320 - index * 5) * DAY_MS
    users.push(await at(joined, () => insert(name, index, hash)))
  }
  return users
}

async function insert(name: string, index: number, hash: string) {
  const role = index % 23 === 0 ? 'Admin' : 'User'
  const values = { email: emailOf(name), username: name, role }
  const user = await db.transaction((trx) => insertUser(values, hash, trx))
  const isVerified = noise(index + 3) > 0.15
  user.merge({ createdAt: DateTime.utc(), mfaEnabled: noise(index + 5) > 0.6 })
  if (isVerified) user.merge({ emailVerifiedAt: DateTime.utc() })
  if (noise(index + 11) > 0.8) user.merge({ provider: 'google', providerId: String(1e9 + index) })
  await user.save()
  if (user.provider) await linkIdentity(user)
  return user
}

async function linkIdentity({ id, email, provider, providerId }: User) {
  const now = Date.now()
  const issuer = 'https://accounts.google.com'
  const used = { created_at: now, last_used_at: realNow() - DAY_MS }
  await db
    .table('identities')
    .insert({ id: uuidv7(), user_id: id, provider, issuer, subject: providerId, email, ...used })
}

/** Makes sign-ins for each day, fewer at weekends, with one night of password guessing. */
async function createActivity(users: User[], now: number) {
  for (let day = 29; day >= 0; day--) {
    const start = now - day * DAY_MS
    const isWeekend = [0, 6].includes(new Date(start).getUTCDay())
    const count = Math.floor((isWeekend ? 4 : 15) + noise(day) * 9)
    const failures = day === 8 ? 24 : Math.floor(noise(day + 50) * 4)
    for (let index = 0; index < count; index++) await signInOnce(users, day, index, start)
    for (let index = 0; index < failures; index++) await failOnce(users, day, index, start)
  }
}

async function signInOnce(users: User[], day: number, index: number, start: number) {
  const user = users[Math.floor(noise(day * 31 + index) * users.length)]
  const device = deviceOf(day + index)
  const instant = start - (60 - index) * 60_000
  await at(instant, async () => {
    const { session } = await startSession(user, { device, ...BY_PASSWORD })
    await db.from('users').where('id', user.id).update({ last_login_at: instant })
    const details = { sessionId: session.id, deviceName: session.deviceName }
    await record('login.succeeded', userActor(user.id, device), user, details)
  })
}

async function failOnce(users: User[], day: number, index: number, start: number) {
  const user = users[Math.floor(noise(day * 17 + index) * users.length)]
  const isLock = index % 8 === 5
  const details = { email: user.email, reason: 'password', attemptsRemaining: isLock ? 0 : 3 }
  const actor = anonymousActor({ ip: `198.51.100.${20 + day}`, userAgent: AGENTS[2] })
  await at(start - (30 - index) * 60_000, () =>
    record(isLock ? 'account.locked' : 'login.failed', actor, user, details)
  )
}

/** Fills an empty database. */
export async function makeDemo() {
  const now = realNow()
  const users = await createUsers(now)
  await createActivity(users, now - 2 * 3_600_000)
  const [admin, ada, alan, , edsger, barbara] = users
  const actor = { ...userActor(admin.id, deviceOf(1)), hasRecentAuthentication: true }
  await at(now - 90 * 60_000, () => updateUser(ada.id, { nickname: 'Countess' }, actor))
  await at(now - 80 * 60_000, () => disableUser(edsger.id, { reason: 'Left the company' }, actor))
  await at(now - 12 * 60_000, () => lockUser(alan.id, now + 18 * 60_000, actor))
  await at(now - 9 * 60_000, () => changeRole(barbara.id, 'Admin', actor))
  for (const name of ['Rear Admiral', 'Peter Naur', 'Ivan Sutherland']) {
    await addUser({ email: emailOf(name), username: name }, actor)
  }
  await markChecklist('checklist_dismissed_at')
}
