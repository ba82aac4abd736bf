import limits from '#config/limits'
import { isDelegated } from '#auth/callers/caller_kind'
import { lockName } from '#database/named_lock'
import { invalidField } from '#exceptions/http_errors'
import { E_CLIENT_LIMIT } from './errors.ts'
import type { Actor } from '#audit/actor'
import type { ClientSettings } from './client.ts'
import type { Transaction } from '#database/transaction'

type Lists = Pick<ClientSettings, 'redirectUris' | 'postLogoutRedirectUris'>

type Sized = Lists & Pick<ClientSettings, 'claims'>

/**
 * A client that already exceeds a limit may keep its size.
 * @param before null for a new client @throws E_VALIDATION_ERROR
 */
export function assertSizes(after: Sized, before: Sized | null) {
  assertAddressBytes(after, before)
  assertClaimBytes(after, before)
}

function assertClaimBytes(after: Sized, before: Sized | null) {
  const size = bytesOf(after)
  if (size <= limits.clientClaimBytes || (before && size <= bytesOf(before))) return
  const most = `at most ${limits.clientClaimBytes} bytes of JSON`
  throw invalidField('claims', 'claimSizes', `The claims field must have ${most}`)
}

function bytesOf({ claims }: Sized) {
  return Buffer.byteLength(JSON.stringify(claims))
}

function assertAddressBytes(after: Lists, before: Lists | null) {
  const size = sizeOf(after)
  if (size <= limits.clientAddressBytes || (before && size <= sizeOf(before))) return
  const isRedirect = lengthOf(after.redirectUris) >= lengthOf(after.postLogoutRedirectUris)
  const field = isRedirect ? 'redirectUris' : 'postLogoutRedirectUris'
  const most = `at most ${limits.clientAddressBytes} characters in all addresses together`
  throw invalidField(field, 'addressSizes', `The ${field} field must leave ${most}`)
}

function sizeOf({ redirectUris, postLogoutRedirectUris }: Lists) {
  return lengthOf(redirectUris) + lengthOf(postLogoutRedirectUris)
}

function lengthOf(uris: string[]) {
  return uris.join('').length
}

/** A key that leaks must not fill the list of clients. @throws E_CLIENT_LIMIT */
export async function assertRoomForClient(actor: Actor, trx: Transaction) {
  if (!isDelegated(actor)) return
  await lockName('new clients', trx)
  const [{ total }] = await trx.from('oauth_clients').count('* as total')
  if (Number(total) >= limits.delegatedClients) throw new E_CLIENT_LIMIT()
}
