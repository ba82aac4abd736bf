import type { IncomingMessage } from 'node:http'
import settings from '#config/oidc'

/*
 | What the library answers; interactions, the device page and the logout are pages of ours, and
 | an authorization that is posted is sent again as GET (`posted_requests_controller.ts`).
 */
const READ =
  /^\/(?:\.well-known\/(?:openid-configuration|oauth-authorization-server)|oauth\/(?:authorize(?:\/[\w-]+)?|userinfo))(?:\?|$)/
const POSTED = /^\/oauth\/(?:token|userinfo|revoke|par|device\/authorization)(?:\?|$)/

/** Pages of another origin ask by OPTIONS first. */
const READING = new Set(['GET', 'HEAD', 'OPTIONS'])
const POSTING = new Set(['POST', 'OPTIONS'])

/** Whether the library answers a request; it is asked of each, so that the prefix decides first. */
export function isProviderRequest({ method = '', url = '' }: IncomingMessage) {
  const isNear = url.startsWith('/oauth/') || url.startsWith('/.well-known/o')
  if (!isNear || !settings.isOn) return false
  return (READING.has(method) && READ.test(url)) || (POSTING.has(method) && POSTED.test(url))
}

/** The methods with which the library answers a path. */
export function providerMethods(url: string) {
  const methods = [...READING, 'POST']
  return methods.filter((method) => isProviderRequest({ method, url } as IncomingMessage))
}

/** The page of a failure, which no address leads to. */
export const FAILURE_PATH = '/oauth/failure'
