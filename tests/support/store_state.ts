import { randomUUID } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import lockout from '#config/lockout'
import { hashEmail } from '#auth/lockout/count_keys'
import { listSessions } from '#auth/sessions/sessions'
import store from '#auth/store/service'
import type User from '#models/user'

/** Returns what a login with this key would get. Its attempt is returned immediately. */
export async function attemptOf(countKey: string) {
  const id = randomUUID()
  const reservation = await store.reserveAttempt(countKey, { ...lockout, id }, Date.now())
  await store.returnAttempt(countKey, id)
  return reservation
}

/** Returns the state that a refused change of a user must not change. */
export async function storeStateOf({ id, email }: User) {
  const devices = await db.from('known_devices').where('user_id', id).orderBy('fingerprint')
  const [sessions, attempt] = [await listSessions(id), await attemptOf(hashEmail(email))]
  return { sessions, attempt, devices }
}
