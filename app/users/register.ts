import { DateTime } from 'luxon'
import { v7 as uuidv7 } from 'uuid'
import db from '@adonisjs/lucid/services/db'
import User, { DEFAULT_ROLE } from '#models/user'
import { E_EMAIL_TAKEN } from './errors.ts'
import { hashPassword } from '#auth/passwords/password_hash'
import { recordAudit } from '#audit/trail'
import { queueMail } from '#mails/queue_mail'
import { userActor, type Actor } from '#audit/actor'
import type { Transaction } from '#auth/store/contract'

export interface NewUser {
  /** In its canonical form. */
  email: string
  username: string
  nickname?: string | null
  role?: string
  /** Missing for an invited user, which sets its own. */
  password?: string
  /** Whether somebody else chose the password, so that the owner has to choose another one. */
  mustChangePassword?: boolean
}

/** Registers a user by itself and mails the link that verifies its address. */
export async function registerUser(
  newUser: NewUser & { password: string },
  from: { ip: string; userAgent: string | null }
) {
  const password = await hashPassword(newUser.password)
  return db.transaction(async (trx) => {
    const user = await insertUser({ ...newUser, role: DEFAULT_ROLE }, password, trx)
    await queueVerificationMail(user, trx)
    await recordAudit(
      { action: 'account.registered', actor: userActor(user.id, from), targetId: user.id },
      trx
    )
    return user
  })
}

/** Creates a user on behalf of somebody: with a password, or with an invitation to set one. */
export async function addUser(newUser: NewUser, actor: Actor) {
  const password = newUser.password ? await hashPassword(newUser.password) : null
  return db.transaction(async (trx) => {
    const user = await insertUser(newUser, password, trx)
    if (!password) await sendInvitation(user, trx)
    const action = password ? 'account.created' : 'account.invited'
    await recordAudit({ action, actor, targetId: user.id, details: { role: user.role } }, trx)
    return user
  })
}

/** Inserts the row; the unique index decides who of several gets the e-mail. */
export async function insertUser(
  { email, username, nickname, role, mustChangePassword = false }: NewUser,
  passwordHash: string | null,
  trx: Transaction
) {
  const user = new User().useTransaction(trx).fill({
    id: uuidv7(),
    email,
    username,
    nickname: nickname ?? null,
    role: role ?? DEFAULT_ROLE,
    password: passwordHash,
    passwordChangedAt: DateTime.utc(),
    mustChangePassword,
    mfaEnabled: false,
    version: 1,
  })
  try {
    return await user.save()
  } catch (error) {
    throw isUniqueViolation(error) ? new E_EMAIL_TAKEN() : error
  }
}

/** Whether the database refused a row because one like it exists. */
export function isUniqueViolation(error: { code?: string }) {
  return error.code === '23505' || error.code === 'SQLITE_CONSTRAINT_UNIQUE'
}

export function queueVerificationMail(user: User, trx: Transaction) {
  const recipient = user.email
  return queueMail({ kind: 'email_verification', recipient, userId: user.id, contents: {} }, trx)
}

/** Mails a link to set the first password; the user counts as invited until it is used. */
export async function sendInvitation(user: User, trx: Transaction) {
  await trx.from('users').where('id', user.id).update({ invited_at: Date.now() })
  const recipient = user.email
  await queueMail({ kind: 'invitation', recipient, userId: user.id, contents: {} }, trx)
}
