import { DateTime } from 'luxon'
import { v7 as uuidv7 } from 'uuid'
import User, { DEFAULT_ROLE, type UserKind } from '#models/user'
import { clearAttempts } from '#auth/lockout/attempts'
import { isUniqueViolation } from '#database/unique_violation'
import { E_EMAIL_TAKEN } from './errors.ts'
import type { Transaction } from '#database/transaction'

export interface NewUser {
  /** Set where a repeated request must find the user of the first one. */
  id?: string
  kind?: UserKind
  email: string
  username: string
  nickname?: string | null
  /** The language of pages and mails; null until it is known. */
  locale?: string | null
  role?: string
  /** Missing for an invited user, who sets it with the mailed link. */
  password?: string
  mustChangePassword?: boolean
  /** An administrator vouches for the address. */
  emailVerified?: boolean
}

/** The unique index decides who gets the address. Earlier attempts on it must not lock the new user. */
export async function insertUser(newUser: NewUser, passwordHash: string | null, trx: Transaction) {
  const { email } = newUser
  const user = new User().useTransaction(trx).fill(valuesOf(newUser, passwordHash))
  try {
    await user.save()
    await clearAttempts({ email }, trx)
    return user
  } catch (error) {
    throw isUniqueViolation(error) ? new E_EMAIL_TAKEN() : error
  }
}

const FIRST_STATE = { mfaEnabled: false, passkeyCount: 0 }

function valuesOf(given: NewUser, passwordHash: string | null) {
  const { id = uuidv7(), email, username, nickname = null, role = DEFAULT_ROLE } = given
  const { kind = 'person', locale = null, mustChangePassword = false } = given
  const now = DateTime.utc()
  const emailVerifiedAt = given.emailVerified ? now : null
  const names = { id, kind, email, username, nickname, locale, role }
  const state = { ...FIRST_STATE, mustChangePassword, emailVerifiedAt }
  return { ...names, ...state, password: passwordHash, passwordChangedAt: now }
}
