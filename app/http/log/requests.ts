import type { IncomingMessage } from 'node:http'
import logger from '@adonisjs/core/services/logger'
import env from '#start/env'
import type { ProtectedResponse } from '../response.ts'

/** Load balancers, supervisors and scrapers ask every second or so. */
const PROBES = /^\/(?:health(?:\/|$)|metrics$)/

/** An id in a path could be a credential, such as the id of an interaction. */
const IDS = /\/(?=[^/]*(?:\d|[a-z][^/]*[A-Z]|[A-Z][^/]*[a-z]))[\w-]{16,}(?=\/|$)/g

export function isLogging() {
  return env.get('LOG_REQUESTS') === 'on' && logger.isLevelEnabled('info')
}

/** Without query and ids, so that no secret reaches the log. */
export function loggedPath(url: string) {
  const query = url.indexOf('?')
  const path = query === -1 ? url : url.slice(0, query)
  return path.length < 17 ? path : path.replace(IDS, '/:id')
}

export function logRequest({ method, url }: IncomingMessage, response: ProtectedResponse) {
  const path = loggedPath(url!)
  if (PROBES.test(path)) return
  const startedAt = performance.now()
  response.once('close', () => {
    const ms = Math.round((performance.now() - startedAt) * 10) / 10
    const { requestId, statusCode: status, writableFinished } = response
    const aborted = writableFinished ? undefined : true
    logger.info({ method, path, status, ms, requestId, aborted }, 'request')
  })
}
