import type { IncomingMessage, ServerResponse } from 'node:http'
import env from '#start/env'
import { countRequest } from '#telemetry/requests'
import { routePattern } from './route_pattern.ts'

/** Without `METRICS_TOKEN`, counting starts (and costs time) only when metrics are first read. */
let isOn = Boolean(env.get('METRICS_TOKEN'))

export const isCounting = () => isOn

export function countFromNow() {
  isOn = true
}

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
