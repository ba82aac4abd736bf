import { PROFILE_SCOPE } from '#auth/api_keys/route_scopes'
import User from '#models/user'
import UserTransformer, { type UserRecord } from '#transformers/user_transformer'
import { markHandleReceived } from '#users/handles/mark_received'
import type { CallingClient } from '#auth/guards/caller'
import type { VersionedRecord } from '#transformers/user_record_cache'

/** By scope. A third party gets what its user was asked to share, as from `/oauth/userinfo`. */
const FIELDS: Record<string, (keyof UserRecord)[]> = {
  openid: ['id', 'kind'],
  email: ['email', 'emailVerified'],
  profile: ['username', 'handle', 'nickname', 'role', 'avatar', 'updatedAt'],
}

/** Returns the user's record as JSON. The application may name an account by the handle. */
export async function ownRecordFor(client: CallingClient, found: VersionedRecord) {
  if (client.isFirstParty || client.scopes.includes(PROFILE_SCOPE)) return wholeRecord(found)
  const fields = client.scopes.flatMap((scope) => FIELDS[scope] ?? [])
  const isReceived = found.isHandleReceived || !fields.includes('handle')
  const record = isReceived ? found.record : await receivedRecord(found)
  return JSON.stringify(Object.fromEntries(fields.map((field) => [field, record[field]])))
}

async function wholeRecord(found: VersionedRecord) {
  return found.isHandleReceived ? found.jsonForClients : JSON.stringify(await receivedRecord(found))
}

async function receivedRecord({ record }: VersionedRecord) {
  const user = await markHandleReceived(await User.findOrFail(record.id))
  return new UserTransformer(user).single({ client: true })
}
