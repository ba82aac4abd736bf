import type { IncomingMessage } from 'node:http'
import logger from '@adonisjs/core/services/logger'
import Provider, { errors } from 'oidc-provider'
import limits from '#config/limits'
import { E_TOO_MANY_REQUESTS } from '#exceptions/http_errors'
import { readPublicDocument } from '#network/public_document'
import { causeOf, DocumentReadError } from '#network/document_errors'
import { sourceOfRequest } from '#oidc/request_source'
import { toMetadataClient, type MetadataClient } from './metadata_client.ts'
import { InvalidClientMetadata } from './invalid_client_metadata.ts'
import {
  deleteDocument,
  findStored,
  freshnessOf,
  postpone,
  saveDocument,
  type StoredDocument,
} from './document_rows.ts'
import { unavailable, withinShare } from './read_limits.ts'
import { isAllowedHost, parseServedUrl } from './served_urls.ts'

/* Clients that are not registered (draft-ietf-oauth-client-id-metadata-document). */

/** Concurrent requests for one document share one reading. */
const pending = new Map<string, Promise<MetadataClient>>()

/** The provider asks again after a failure, but one request reads each document only once. */
const answered = new WeakMap<IncomingMessage, Map<string, Promise<MetadataClient>>>()

/** Returns null for other ids. @throws InvalidClientMetadata, temporarily_unavailable */
export async function findMetadataClient(clientId: string): Promise<MetadataClient | null> {
  const url = parseServedUrl(clientId)
  if (!url) return null
  const [stored, request] = [await findStored(clientId), Provider.ctx?.req]
  if (!request) return ofPage(url, stored)
  if (!isAllowedHost(url)) throw new InvalidClientMetadata('host', url.host)
  const isFresh = stored && stored.freshUntil > Date.now()
  return isFresh ? ofStored(url, stored) : onceOf(request, url, stored)
}

function ofPage(url: URL, stored: StoredDocument | null) {
  try {
    return stored && isAllowedHost(url) ? ofStored(url, stored) : null
  } catch {
    return null
  }
}

function ofStored(url: URL, { text, readAt }: StoredDocument) {
  return toMetadataClient(url, text, readAt)
}

function onceOf(request: IncomingMessage, url: URL, stored: StoredDocument | null) {
  const ofRequest = answered.get(request) ?? new Map<string, Promise<MetadataClient>>()
  answered.set(request, ofRequest)
  const answer = ofRequest.get(url.href) ?? shared(request, url, stored)
  ofRequest.set(url.href, answer)
  return answer
}

function shared(request: IncomingMessage, url: URL, stored: StoredDocument | null) {
  const present = pending.get(url.href)
  if (present) return present
  const reading = refresh(request, url, stored).finally(() => pending.delete(url.href))
  pending.set(url.href, reading)
  return reading
}

/** The stored document stays in use while its server is down or throttled. */
async function refresh(request: IncomingMessage, url: URL, stored: StoredDocument | null) {
  try {
    const { ip } = sourceOfRequest(request)
    return await withinShare({ url, ip }, () => readAndSave(url))
  } catch (error) {
    const mayPass = !(error instanceof InvalidClientMetadata) && isTransient(error)
    if (mayPass && stored) return serveStale(url, stored)
    if (!mayPass && stored) await deleteDocument(url.href)
    throw toProtocolError(error, url)
  }
}

async function readAndSave(url: URL) {
  const { text, headers } = await readPublicDocument(url, limits.clientDocumentSize)
  const readAt = Date.now()
  const client = toMetadataClient(url, text, readAt)
  await saveDocument(url.href, { text, readAt, freshUntil: readAt + freshnessOf(headers) })
  return client
}

function isTransient(error: unknown) {
  if (error instanceof DocumentReadError) return error.isTransient
  return error instanceof E_TOO_MANY_REQUESTS || error instanceof errors.TemporarilyUnavailable
}

async function serveStale(url: URL, stored: StoredDocument) {
  await postpone(url.href)
  return ofStored(url, stored)
}

function toProtocolError(error: unknown, { host }: URL) {
  if (error instanceof E_TOO_MANY_REQUESTS) return unavailable()
  if (!(error instanceof DocumentReadError)) return error
  const { reason } = error
  logger.info({ host, reason, cause: causeOf(error) }, 'client metadata document not read')
  return new InvalidClientMetadata(reason, host)
}
