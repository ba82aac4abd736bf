import { randomBytes, randomInt } from 'node:crypto'
import { DateTime } from 'luxon'
import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import { insertAccount } from '#auth/accounts/registration'
import { hashPassword } from '#auth/passwords/password_hash'

/** A password that satisfies every rule of the policy. */
export const PASSWORD = 'Correct-h0rse!'

/** An e-mail address that no other test uses. */
export function someEmail() {
  return `user-${randomBytes(6).toString('hex')}@example.org`
}

/** A public address that no other test sends from: limits of one test do not meet another's. */
export function someAddress() {
  return `198.18.${randomInt(256)}.${randomInt(256)}`
}

interface UserOptions {
  email?: string
  username?: string
  role?: string
  password?: string | null
  isVerified?: boolean
}

/** A saved account. */
export async function createUser(options: UserOptions = {}): Promise<User> {
  const { email = someEmail(), username = 'Ada', role, password = PASSWORD } = options
  const hash = password === null ? null : await hashPassword(password)
  const user = await db.transaction((trx) => insertAccount({ email, username, role }, hash, trx))
  if (options.isVerified) await user.merge({ emailVerifiedAt: DateTime.utc() }).save()
  return User.findOrFail(user.id)
}

export function createAdmin(options: UserOptions = {}) {
  return createUser({ username: 'Grace', role: 'Admin', ...options })
}
