import type { IncomingHttpHeaders } from 'node:http'
import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import settings from '#config/oidc'

/* This file owns the table `oauth_client_documents`. */

export interface StoredDocument {
  text: string
  readAt: number
  /** After this, the document is used only if it cannot be read again, until it expires. */
  freshUntil: number
}

export function freshnessOf({ 'cache-control': control = '' }: IncomingHttpHeaders) {
  const { minFreshMs, maxFreshMs, freshMs } = settings.documents
  if (/\bno-(?:store|cache)\b/i.test(control)) return minFreshMs
  const [, seconds] = /(?:^|[\s,])max-age="?(\d{1,9})/i.exec(control) ?? []
  const asked = seconds === undefined ? freshMs : Number(seconds) * 1_000
  return Math.min(Math.max(asked, minFreshMs), maxFreshMs)
}

export async function findStored(clientId: string): Promise<StoredDocument | null> {
  const row = await db
    .from('oauth_client_documents')
    .where('client_id', clientId)
    .where('expires_at', '>', Date.now())
    .first()
  if (!row) return null
  return { text: row.document, readAt: Number(row.read_at), freshUntil: Number(row.fresh_until) }
}

export async function saveDocument(clientId: string, { text, readAt, freshUntil }: StoredDocument) {
  const times = {
    read_at: readAt,
    fresh_until: freshUntil,
    expires_at: freshUntil + settings.documents.staleMs,
  }
  const row = { client_id: clientId, document: text, ...times }
  await db.knexQuery().insert(row).into('oauth_client_documents').onConflict('client_id').merge()
  await removeExcess()
}

/** Keeps requests from asking a server that is down. */
export async function postpone(clientId: string) {
  const freshUntil = Date.now() + settings.documents.minFreshMs
  const row = db.from('oauth_client_documents').where('client_id', clientId)
  await row.update({ fresh_until: freshUntil })
}

export async function deleteDocument(clientId: string) {
  await db.from('oauth_client_documents').where('client_id', clientId).delete()
}

const BATCH = 100

/**
 * An attacker can have many documents read: they must not displace one that a user consented to.
 */
async function removeExcess() {
  await removeBeyond(
    limits.clientDocuments,
    byLastRead().whereNotExists((query) =>
      query
        .from('oauth_consents as consent')
        .whereColumn('consent.client_id', 'document.client_id')
        .select('consent.id')
    )
  )
  await removeBeyond(limits.allClientDocuments, byLastRead())
}

function byLastRead() {
  return db
    .from('oauth_client_documents as document')
    .orderBy('document.read_at', 'desc')
    .orderBy('document.client_id')
    .select('document.client_id')
}

async function removeBeyond(limit: number, documents: ReturnType<typeof byLastRead>) {
  const excess = await documents.offset(limit).limit(BATCH)
  if (excess.length === 0) return
  const ids = excess.map((row) => row.client_id)
  await db.from('oauth_client_documents').whereIn('client_id', ids).delete()
}
