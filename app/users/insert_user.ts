import { DateTime } from 'luxon'
import { v7 as uuidv7 } from 'uuid'
import User, { DEFAULT_ROLE, type UserKind } from '#models/user'
import { clearAttempts } from '#auth/lockout/attempts'
import { isUniqueViolation } from '#database/unique_violation'
import { E_EMAIL_TAKEN } from './errors.ts'
import type { Transaction } from '#database/transaction'

export interface NewUser {
  /** Given where a second request for the same user must find the first; otherwise a new one. */
  id?: string
  /** `person` unless given. */
  kind?: UserKind
  /** In its canonical form. */
  email: string
  username: string
  nickname?: string | null
  /** The language of pages and mails; null or missing until it is known. */
  locale?: string | null
  role?: string
  /** Missing for an invited user, who sets it with the link in the invitation. */
  password?: string
  /** Set where an administrator chose the password: the user has to choose another one. */
  mustChangePassword?: boolean
}

/**
 * Inserts the row. The unique index decides which of several requests gets the e-mail
 * address. What strangers had counted on it is forgotten: it must not lock a new user.
 */
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
  const columns = { id, kind, email, username, nickname, locale, role, mustChangePassword }
  return { ...FIRST_STATE, ...columns, password: passwordHash, passwordChangedAt: DateTime.utc() }
}
