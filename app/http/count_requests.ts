import type { IncomingMessage, ServerResponse } from 'node:http'
import env from '#start/env'
import { countRequest } from '#telemetry/requests'
import { routePattern } from './route_pattern.ts'

/** Only while `METRICS_TOKEN` is set: other deployments do not pay for it. */
export const isCounting = Boolean(env.get('METRICS_TOKEN'))

export function countOnceAnswered(
  { method = '', url = '' }: IncomingMessage,
  response: ServerResponse
) {
  const startedAt = performance.now()
  response.once('close', () => {
    const ms = performance.now() - startedAt
    countRequest({ method, status: response.statusCode, route: routePattern(method, url), ms })
  })
}
