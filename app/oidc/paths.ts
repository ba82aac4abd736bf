import settings from '#config/oidc'

/** What the library answers; interactions, the device page and the logout are pages of ours. */
const LIBRARY_PATHS =
  /^\/(?:\.well-known\/(?:openid-configuration|oauth-authorization-server)|oauth\/(?:authorize(?:\/[\w-]+)?|token|userinfo|revoke|par|device\/authorization))(?:\?|$)/

/** Whether the library answers a request; it is asked of each, so that the prefix decides first. */
export function isLibraryPath(url: string) {
  const isNear = url.startsWith('/oauth/') || url.startsWith('/.well-known/o')
  return isNear && settings.isOn && LIBRARY_PATHS.test(url)
}

/** The page of a failure, which no address leads to. */
export const FAILURE_PATH = '/oauth/failure'
