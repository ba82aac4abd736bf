import db from '@adonisjs/lucid/services/db'
import settings from '#config/oidc'
import { assertMay } from '#auth/callers/permissions'
import { assertActive } from '#auth/lock_for_change'
import { lockMetadataClient } from '#auth/tokens/deleted_clients'
import { record } from '#events/record'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { hostOf } from '#oidc/clients/redirect_uris'
import { beginDeletion, continueDeletion } from '#oidc/clients/deletion/begin_deletion'
import { isConsentedByAnyone } from '#oidc/consents/consents'
import { deleteDocument } from './document_rows.ts'
import { parseMetadataUrl } from '#oidc/clients/metadata_url'
import type { Actor } from '#audit/actor'

/** A client that is not registered. `users` is the number of users who consented to it. */
export interface UsedMetadataClient {
  clientId: string
  name: string
  users: number
  consentedAt: string
}

const MOST = 1_000

/** Reads every consent, and therefore only if such clients may sign users in. */
export async function listMetadataClients(): Promise<UsedMetadataClient[]> {
  if (!settings.documents.isOn) return []
  const rows = await db
    .from('oauth_consents')
    .whereLike('client_id', 'https://%')
    .groupBy('client_id')
    .orderBy('client_id')
    .limit(MOST)
    .select('client_id')
    .count('* as users')
    .max('updated_at as consented_at')
  return rows.map((row) => ({
    clientId: row.client_id,
    name: hostOf(row.client_id),
    users: Number(row.users),
    consentedAt: new Date(Number(row.consented_at)).toISOString(),
  }))
}

/**
 * Ends every session and consent; the client has to ask again.
 *
 * @throws E_NOT_FOUND for a client without users, and what `assertMay` throws
 */
export async function deleteMetadataClient(clientId: string, actor: Actor) {
  const url = parseMetadataUrl(clientId)
  const name = url?.host ?? clientId
  await db.transaction(async (trx) => {
    await assertActive(actor, trx)
    assertMay('client.api_access', actor)
    await lockMetadataClient(clientId, 'exclusive', trx)
    const isUsed = await isConsentedByAnyone(clientId, trx)
    const endedSessions = await beginDeletion({ clientId, backchannelLogoutUri: null }, trx)
    if (endedSessions === 0 && !isUsed) throw new E_NOT_FOUND(`Nobody uses the client ${clientId}`)
    const details = { clientId, name, kind: 'third_party', endedSessions }
    await record(trx, { type: 'client.deleted', user: null, actor, details })
  })
  await deleteDocument(clientId)
  await continueDeletion(clientId)
  return { clientId, name }
}
