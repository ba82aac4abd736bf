import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import { throttleExport } from '#auth/lockout/throttle'
import { listKnownDevices } from '#auth/sessions/new_device'
import { listSessions } from '#auth/sessions/sessions'
import { listAuditEvents } from '#audit/query'
import { asSeenBy } from '#audit/record'
import { recordAudit } from '#audit/trail'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { listMailsOfUser } from '#mails/user_mails'
import { sessionRecord } from '#transformers/session_record'
import UserTransformer from '#transformers/user_transformer'
import { listIdentities } from './identities.ts'
import type { Actor } from '#audit/actor'

/**
 * Exports everything that is stored about the user of the caller (GDPR, article 15)
 * except secrets: a hash or key says nothing about a person, and would help an attacker
 * who gets the file.
 */
export async function exportProfile(userId: string, actor: Actor) {
  const user = await User.find(userId)
  if (!user) throw new E_NOT_FOUND()
  await throttleExport(userId)
  const sessions = await listSessions(userId)
  const [identities, knownDevices, activity, mails] = await Promise.all([
    listIdentities(userId),
    listKnownDevices(userId),
    listActivity(userId),
    listMailsOfUser(userId),
  ])
  await db.transaction((trx) =>
    recordAudit({ action: 'account.exported', actor, targetId: userId }, trx)
  )
  return {
    exportedAt: new Date().toISOString(),
    account: new UserTransformer(user).toObject(),
    sessions: sessions.map((session) => sessionRecord(session, undefined)),
    identities,
    knownDevices,
    mails,
    activity,
  }
}

/** Every event about the user, the oldest first. */
async function listActivity(userId: string) {
  const { events } = await listAuditEvents({ about: userId }, { page: 1, limit: 100_000 })
  return events.reverse().map((event) => {
    const { occurredAt, action, outcome, ip, userAgent, details } = asSeenBy(userId, event)
    return { occurredAt, action, outcome, ip, userAgent, details }
  })
}
