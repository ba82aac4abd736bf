import type { IncomingMessage } from 'node:http'
import logger from '@adonisjs/core/services/logger'
import { isTrustedProxy } from '#config/app'

const PAUSE_MS = 3_600_000

const UNTRUSTED =
  'a request has x-forwarded-for, but TRUSTED_PROXIES does not name who sent it: all clients of that proxy share one address and its limits'

let warnedAt = Number.NEGATIVE_INFINITY
let trusted: string | undefined

/** Returns whether a request came through an untrusted proxy within the last hour. */
export function hasUntrustedProxy() {
  return performance.now() - warnedAt < PAUSE_MS
}

/** Warns once an hour, and without the address, because a client can send the header as well. */
export function warnUntrustedProxy({ headers, socket }: IncomingMessage) {
  const isForwarded = headers['x-forwarded-for'] !== undefined
  const address = socket.remoteAddress
  if (!isForwarded || address === trusted || hasUntrustedProxy()) return
  if (isTrustedProxy(address ?? '')) return void (trusted = address)
  warnedAt = performance.now()
  logger.warn(UNTRUSTED)
}
