import type { IncomingMessage } from 'node:http'
import settings from '#config/oidc'

/** What the library answers; interactions, the device page and the logout are pages of ours. */
const LIBRARY_PATHS =
  /^\/(?:\.well-known\/(?:openid-configuration|oauth-authorization-server)|oauth\/(?:authorize(?:\/[\w-]+)?|token|userinfo|revoke|par|device\/authorization))(?:\?|$)/

/** One that is posted is sent again as GET (`posted_requests_controller.ts`). */
const AUTHORIZATION = /^\/oauth\/authorize(?:\?|$)/

/** Whether the library answers a request; it is asked of each, so that the prefix decides first. */
export function isOfLibrary({ method, url = '' }: IncomingMessage) {
  const isNear = url.startsWith('/oauth/') || url.startsWith('/.well-known/o')
  if (!isNear || !settings.isOn) return false
  return LIBRARY_PATHS.test(url) && !(method === 'POST' && AUTHORIZATION.test(url))
}

/** The page of a failure, which no address leads to. */
export const FAILURE_PATH = '/oauth/failure'
