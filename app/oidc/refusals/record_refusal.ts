import type { IncomingMessage } from 'node:http'
import logger from '@adonisjs/core/services/logger'
import { findClient } from '#oidc/clients/client_rows'
import { isMetadataUrl } from '#oidc/clients/metadata_url'
import { countRefusal } from './pending_refusals.ts'
import { describeRefusal, type RefusalReason } from './reasons.ts'
import { logRefusal, logUnknownClient } from './refusal_log.ts'
import { printable } from './sent.ts'

export interface Refusal {
  clientId: string
  reason: RefusalReason
  /** Made by `redactAddress` or `printable`; null for a secret and for a missing value. */
  sent: string | null
  /** The request authenticated as the client, or came with the session of an administrator. */
  isTrusted?: () => boolean | Promise<boolean>
}

const refusals = new WeakMap<IncomingMessage, Refusal>()
const arriving = new Set<Promise<void>>()

/** Returns the refusal that the page of this request names. */
export function refusalOf(request: IncomingMessage) {
  return refusals.get(request)
}

/**
 * Logs the refusal of an application and lists it on its page. All code that refuses an application
 * calls this function, which returns immediately and never fails.
 */
export function recordRefusal(request: IncomingMessage, refusal: Refusal) {
  refusals.set(request, refusal)
  const requestId = String(request.headers['x-request-id'])
  const arrival = list(requestId, { ...refusal, at: Date.now() })
    .catch((error) => logger.warn({ err: error, requestId }, 'a refusal was not recorded'))
    .finally(() => arriving.delete(arrival))
  arriving.add(arrival)
}

async function list(requestId: string, refusal: Refusal & { at: number }) {
  const { clientId, reason, sent, isTrusted = () => false, at } = refusal
  const client = isMetadataUrl(clientId) ? null : await findClient(clientId)
  if (!client) return logUnknownClient(requestId, printable(clientId) ?? '')
  const { remedy, setting } = describeRefusal(reason, client)
  logRefusal(requestId, { clientId, reason, sent, remedy, setting })
  const group = { clientId, isTrusted: await isTrusted() }
  countRefusal(group, { reason, sent, count: 1, firstAt: at, lastAt: at })
}

/** Waits for the refusals of requests that have already been answered. */
export async function arrivingRefusals() {
  await Promise.all(arriving)
}
