import { randomUUID } from 'node:crypto'
import { DateTime } from 'luxon'
import db from '@adonisjs/lucid/services/db'
import Identity from '#models/identity'
import User from '#models/user'
import { SYSTEM, userActor } from '#audit/actor'
import { createKey } from '#auth/api_keys/create_key'
import { upsertDevice } from '#auth/devices/remember_device'
import { hashPassword } from '#auth/passwords/password_hash'
import { BY_PASSWORD } from '#auth/sessions/authentication'
import { startSession } from '#auth/sessions/sessions'
import { webCookie } from '#auth/sessions/web_session'
import { insertUser } from '#users/insert_user'
import { updateProfile } from '#users/profile'
import { ADMIN } from './demo.ts'

/*
 | The people whose account pages are shown: one who uses everything, and a newcomer. The values of
 | a third are all as long and as strange as the product allows.
 */

const AGENT =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 15_1) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15'

/** Only the first 512 characters of a user agent are stored. */
const LONG_AGENT = `${'Evil'.repeat(120)}/1.0 (Linux; Android 15)`

const PEOPLE = {
  person: { username: 'Mary Somerville', email: 'mary@example.org', nickname: 'Queen of Science' },
  newcomer: { username: 'Sophie Germain', email: 'sophie@example.org', nickname: null },
  hostile: {
    username: `عبد الرحمن ${'Wolfeschlegelsteinhausen'.repeat(3)} 🦊`,
    email: `${'x'.repeat(60)}@${'subdomain-'.repeat(6)}a.example.org`,
    nickname: 'مرحبا‎ '.repeat(8).trim(),
  },
}

export type Person = keyof typeof PEOPLE

/** Inserts the people who may be in the documented pictures, with all that their pages list. */
export async function makePeople() {
  await insert('person')
  await insert('newcomer')
  await furnish('person', { sessions: 3, agent: AGENT, key: 'Nightly report' })
}

/** Comes last, because lists of the console show this person from then on. */
export async function makeHostile() {
  await insert('hostile')
  await furnish('hostile', { sessions: 50, agent: LONG_AGENT, key: 'W'.repeat(100) })
}

async function insert(person: Person) {
  const hash = await hashPassword(ADMIN.password)
  await db.transaction((trx) => insertUser(PEOPLE[person], hash, trx))
}

interface Furniture {
  sessions: number
  agent: string
  key: string
}

async function furnish(person: Person, { sessions, agent, key }: Furniture) {
  const user = await User.findByOrFail('email', PEOPLE[person].email)
  await user.merge({ emailVerifiedAt: DateTime.utc() }).save()
  const from = { ip: '2001:db8:85a3:8d3:1319:8a2e:370:7348', userAgent: agent }
  for (let index = 0; index < sessions; index++) {
    const device = { id: 'default', ...from }
    const { session } = await startSession(user, { device, ...BY_PASSWORD })
    if (index < 3) await remember(session)
  }
  await linkProviders(user)
  await createKey(user.id, { name: key, scopes: ['profile:read', 'sessions:read'] }, SYSTEM)
  await changeAddress(user, from)
}

function remember(session: Parameters<typeof upsertDevice>[0]) {
  const claims = { deviceId: randomUUID(), passwordChangedAt: Date.now() }
  return db.transaction(async (trx) => {
    const { password_changed_at: at } = await trx.from('users').where('id', session.userId).first()
    await upsertDevice(session, { ...claims, passwordChangedAt: at } as never, trx)
  })
}

function linkProviders({ id: userId, email }: User) {
  const issuer = 'https://github.com'
  return Identity.create({ userId, provider: 'github', issuer, subject: randomUUID(), email })
}

/** Each user gets a pending address, which may be very long. */
async function changeAddress({ id, email }: User, from: { ip: string; userAgent: string }) {
  const actor = { ...userActor(id, from), hasRecentAuthentication: true }
  const { session } = await startSession({ id, email, role: 'User' }, sessionStart())
  const caller = { userId: id, sessionId: session.id, actor, credentials: {} }
  await updateProfile(caller, { email: `new.${email}`.slice(0, 250) })
}

function sessionStart() {
  return { device: { id: 'default', ip: '203.0.113.7', userAgent: AGENT }, ...BY_PASSWORD }
}

/** Returns the session cookie of a person who has just signed in. */
export async function cookieOf(email: string) {
  const user = await User.findByOrFail('email', email)
  const start = sessionStart()
  const { session, refreshToken } = await startSession(user, {
    ...start,
    device: { ...start.device, client: 'web' },
  })
  return webCookie(session, refreshToken)
}

export function emailOf(person: Person) {
  return PEOPLE[person].email
}
