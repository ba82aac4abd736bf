import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import { throttleAccountExport, throttleAddressChange } from '#auth/lockout/throttle'
import { E_INCORRECT_PASSWORD, E_NOT_FOUND } from '#auth/errors'
import { listIdentities } from './identities.ts'
import { listKnownDevices } from '#auth/sessions/new_device'
import { listSessions } from '#auth/sessions/sessions'
import { asSeenBy, listAuditEvents } from '#audit/query'
import { recordAudit } from '#audit/trail'
import UserTransformer from '#transformers/user_transformer'
import { sessionRecord } from '#transformers/session_record'
import { deleteAccount, updateAccount, type AccountChanges } from './update_user.ts'
import { assertCurrentPassword } from './change_password.ts'
import type { Actor } from '#audit/actor'

/** What the owner of an account may change; an address needs the current password besides. */
export type OwnChanges = Pick<AccountChanges, 'username' | 'nickname' | 'email'> & {
  currentPassword?: string
}

async function findOwnAccount(userId: string) {
  const user = await User.find(userId)
  if (!user) throw new E_NOT_FOUND()
  return user
}

/**
 * Changes the caller's own account. Whoever holds a stolen session must not be able to
 * move the account to an address of theirs: a new one needs the current password.
 */
export async function updateOwnAccount(userId: string, changes: OwnChanges, actor: Actor) {
  const { currentPassword, ...account } = changes
  const user = await findOwnAccount(userId)
  if (account.email !== undefined && account.email !== user.email) {
    if (!currentPassword) throw new E_INCORRECT_PASSWORD()
    await assertCurrentPassword(user, currentPassword)
    await throttleAddressChange(userId, account.email)
  }
  return updateAccount(userId, account, actor, user)
}

/** Deletes the caller's own account. */
export async function deleteOwnAccount(userId: string, currentPassword: string, actor: Actor) {
  const user = await findOwnAccount(userId)
  await assertCurrentPassword(user, currentPassword)
  return deleteAccount(userId, actor, user)
}

/**
 * Everything that is stored about an account (GDPR, article 15), but secrets: a hash or
 * key tells nothing about a person and only helps whoever gets hold of the file.
 */
export async function exportOwnAccount(userId: string, actor: Actor) {
  const user = await findOwnAccount(userId)
  await throttleAccountExport(userId)
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

/** Every event about the account, the oldest first. */
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
