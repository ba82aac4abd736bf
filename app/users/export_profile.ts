import { Readable } from 'node:stream'
import db from '@adonisjs/lucid/services/db'
import type User from '#models/user'
import { getReauthenticatedUserOrFail, type Reauthentication } from '#auth/mfa/reauthentication'
import { lockForChange } from '#auth/lock_for_change'
import { throttleExport } from '#auth/lockout/throttle'
import { listSeenDevices } from '#auth/devices/list_devices'
import { listSessions } from '#auth/sessions/sessions'
import { record } from '#events/record'
import { groupsOf } from '#groups/names_of'
import { walkActivity } from '#audit/trail/user_activity'
import { walkMailsOfUser } from '#mails/log/user_mails'
import { sessionRecord } from '#transformers/session_record'
import UserTransformer from '#transformers/user_transformer'
import { findPicture } from './avatars/avatar.ts'
import { listCredentials } from './sign_in_methods.ts'

/**
 * Exports all data of the user (GDPR, article 15) except secrets, which an attacker could use.
 * @param listApplications comes from the OpenID provider, which this layer must not import
 * @returns a stream of the JSON, which is read while it is sent
 */
export async function exportProfile(
  caller: Reauthentication,
  listApplications: (userId: string) => Promise<object[]>
) {
  const { userId, actor } = caller
  const user = await getReauthenticatedUserOrFail(caller)
  await throttleExport(userId)
  await db.transaction(async (trx) => {
    await lockForChange(userId, actor, trx)
    await record(trx, { type: 'account.exported', user, actor })
  })
  const first = { ...(await readFirst(user)), applications: await listApplications(userId) }
  const lists = { mails: walkMailsOfUser(userId), activity: walkActivity(userId) }
  return Readable.from(toJson(first, lists))
}

/** These lists are bounded, so each is read as a whole. */
async function readFirst(user: User) {
  const sessions = await listSessions(user.id)
  const picture = await findPicture(user)
  return {
    exportedAt: new Date().toISOString(),
    account: new UserTransformer(user).single({}),
    locale: user.locale,
    groups: await groupsOf(user),
    picture: picture && { type: 'image/webp', base64: picture.toString('base64') },
    sessions: sessions.map((session) => sessionRecord(session, undefined)),
    ...(await listCredentials(user.id)),
    knownDevices: await listSeenDevices(user.id),
  }
}

type Portions = AsyncIterable<object[]>

async function* toJson(first: object, lists: Record<string, Portions>) {
  yield JSON.stringify(first).slice(0, -1)
  for (const [name, portions] of Object.entries(lists)) {
    let separator = `,"${name}":[`
    for await (const entries of portions) {
      yield separator + entries.map((entry) => JSON.stringify(entry)).join(',')
      separator = ','
    }
    yield ']'
  }
  yield '}'
}
