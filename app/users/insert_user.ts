import { DateTime } from 'luxon'
import { v7 as uuidv7 } from 'uuid'
import User, { DEFAULT_ROLE, type UserKind } from '#models/user'
import { clearAttempts } from '#auth/lockout/attempts'
import { isUniqueViolation } from '#database/unique_violation'
import { handleOf } from '#database/handle'
import { claimExactly, claimHandle } from './handles/claim_handle.ts'
import { E_EMAIL_TAKEN } from './errors.ts'
import type { Transaction } from '#database/transaction'

export interface NewUser {
  /** Set where a repeated request must find the user that the first request added. */
  id?: string
  kind?: UserKind
  email: string
  username: string
  /** The exact handle; by default it is derived from the username. */
  handle?: string
  /** False for a user whose handle may not be the name of a role or a system. */
  isTrusted?: boolean
  nickname?: string | null
  /** The language of pages and mails; null until it is known. */
  locale?: string | null
  role?: string
  /** Missing for an invited user, who sets it with the mailed link. */
  password?: string
  mustChangePassword?: boolean
  /** Whether an administrator vouches for the address. */
  emailVerified?: boolean
}

/** The unique index decides who gets the address. Earlier attempts on it must not lock the new user. */
export async function insertUser(newUser: NewUser, passwordHash: string | null, trx: Transaction) {
  const { email, id = uuidv7() } = newUser
  const handle = await chooseHandle({ ...newUser, id }, trx)
  const values = valuesOf({ ...newUser, id, handle }, passwordHash)
  const user = new User().useTransaction(trx).fill(values)
  try {
    await user.save()
    await clearAttempts({ email }, trx)
    return user
  } catch (error) {
    throw isUniqueViolation(error) ? new E_EMAIL_TAKEN() : error
  }
}

async function chooseHandle(newUser: NewUser & { id: string }, trx: Transaction) {
  const { id: userId, kind, email, username, handle, isTrusted = true } = newUser
  if (handle !== undefined) {
    await claimExactly({ userId, handle }, trx)
    return handle
  }
  const wanted = handleOf(username, kind === 'service' ? null : email)
  return claimHandle({ userId, handle: wanted }, isTrusted, trx)
}

const FIRST_STATE = { mfaEnabled: false, passkeyCount: 0 }

function valuesOf(given: NewUser & { id: string; handle: string }, passwordHash: string | null) {
  const { id, email, username, handle, nickname = null, role = DEFAULT_ROLE } = given
  const { kind = 'person', locale = null, mustChangePassword = false } = given
  const now = DateTime.utc()
  const emailVerifiedAt = given.emailVerified ? now : null
  const names = { id, kind, email, username, handle, nickname, locale, role }
  const state = { ...FIRST_STATE, mustChangePassword, emailVerifiedAt }
  return { ...names, ...state, password: passwordHash, passwordChangedAt: now }
}
