import type { IncomingMessage } from 'node:http'
import logger from '@adonisjs/core/services/logger'
import env from '#start/env'
import type { ProtectedResponse } from '../response.ts'

/** Load balancers, supervisors and scrapers request these paths about every second. */
const PROBES = /^\/(?:health(?:\/|$)|metrics$)/

/** An id in a path could be a credential, such as the id of an interaction. */
const ID = { shortest: 16, characters: /^[\w-]+$/, mixed: [/[0-9]/, /[a-z]/, /[A-Z]/] }

const ADDRESS = /@|%40/

/** Longer paths are cut, because they would fill the log. */
const LONGEST_PATH = 500

export function isLogging() {
  return env.get('LOG_REQUESTS') === 'on' && logger.isLevelEnabled('info')
}

/** Removes the query and ids, so that no secret reaches the log. */
export function loggedPath(url: string) {
  const query = url.indexOf('?')
  const path = query === -1 ? url : url.slice(0, query)
  if (path.length <= ID.shortest && !ADDRESS.test(path)) return path
  const named = path.split('/').map(withoutId).join('/')
  return named.length > LONGEST_PATH ? `${named.slice(0, LONGEST_PATH)}…` : named
}

/** A segment may be an e-mail address, or a JWT, whose parts are separated by dots. */
function withoutId(segment: string, at: number) {
  if (at === 0) return segment
  return ADDRESS.test(segment) || segment.split('.').some(isId) ? ':id' : segment
}

/** The tests run one after the other, each in one pass: a single expression took quadratic time. */
function isId(part: string) {
  if (part.length < ID.shortest || !ID.characters.test(part)) return false
  const [hasDigit, hasLower, hasUpper] = ID.mixed.map((each) => each.test(part))
  return hasDigit || (hasLower && hasUpper)
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
