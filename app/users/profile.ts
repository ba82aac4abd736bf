import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import { throttleExport, throttleAddressChange } from '#auth/lockout/throttle'
import { E_INCORRECT_PASSWORD } from '#auth/errors'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { listIdentities } from './identities.ts'
import { listKnownDevices } from '#auth/sessions/new_device'
import { listSessions } from '#auth/sessions/sessions'
import { listAuditEvents } from '#audit/query'
import { asSeenBy } from '#audit/record'
import { recordAudit } from '#audit/trail'
import UserTransformer from '#transformers/user_transformer'
import { sessionRecord } from '#transformers/session_record'
import { deleteUser } from './delete_user.ts'
import { updateUser, type UserChanges } from './update_user.ts'
import { assertCurrentPassword } from '#auth/passwords/current_password'
import type { Actor } from '#audit/actor'

/** What the owner of a user may change; an address needs the current password besides. */
export type OwnChanges = Pick<UserChanges, 'username' | 'nickname' | 'email'> & {
  currentPassword?: string
}

async function findCaller(userId: string) {
  const user = await User.find(userId)
  if (!user) throw new E_NOT_FOUND()
  return user
}

/**
 * Changes the caller's own user. Whoever holds a stolen session must not be able to
 * move the user to an address of theirs: a new one needs the current password.
 */
export async function updateProfile(userId: string, changes: OwnChanges, actor: Actor) {
  const { currentPassword, ...fields } = changes
  const user = await findCaller(userId)
  if (fields.email !== undefined && fields.email !== user.email) {
    if (!currentPassword) throw new E_INCORRECT_PASSWORD()
    await assertCurrentPassword(user, currentPassword)
    await throttleAddressChange(userId, fields.email)
  }
  return updateUser(userId, fields, actor, user)
}

/** Deletes the caller's own user. */
export async function deleteProfile(userId: string, currentPassword: string, actor: Actor) {
  const user = await findCaller(userId)
  await assertCurrentPassword(user, currentPassword)
  return deleteUser(userId, actor, user)
}

/**
 * Everything that is stored about a user (GDPR, article 15), but secrets: a hash or
 * key tells nothing about a person and only helps whoever gets hold of the file.
 */
export async function exportProfile(userId: string, actor: Actor) {
  const user = await findCaller(userId)
  await throttleExport(userId)
  const sessions = await listSessions(userId)
  const [identities, devices, activity, mails] = await Promise.all([
    listIdentities(userId),
    listKnownDevices(userId),
    ownActivity(userId),
    ownMails(userId),
  ])
  await db.transaction((trx) =>
    recordAudit({ action: 'account.exported', actor, targetId: userId }, trx)
  )
  return {
    exportedAt: new Date().toISOString(),
    account: new UserTransformer(user).toObject(),
    sessions: sessions.map((session) => sessionRecord(session, undefined)),
    identities,
    knownDevices: devices,
    mails,
    activity,
  }
}

/** Every event about the user, the oldest first. */
async function ownActivity(userId: string) {
  const { events } = await listAuditEvents({ about: userId }, { page: 1, limit: 100_000 })
  return events.reverse().map((event) => {
    const { occurredAt, action, outcome, ip, userAgent, details } = asSeenBy(userId, event)
    return { occurredAt, action, outcome, ip, userAgent, details }
  })
}

async function ownMails(userId: string) {
  const rows = await db
    .from('mails')
    .where('user_id', userId)
    .orderBy('id')
    .select('kind', 'recipient', 'status', 'created_at', 'sent_at')
  return rows.map((row) => ({
    kind: row.kind,
    recipient: row.recipient,
    status: row.status,
    createdAt: new Date(Number(row.created_at)).toISOString(),
    sentAt: row.sent_at ? new Date(Number(row.sent_at)).toISOString() : null,
  }))
}
