import oidc from '#config/oidc'
import { scopeOfRoute } from '#auth/api_keys/route_scopes'
import { E_CROSS_SITE } from '#auth/errors'
import { accessCookieName, hasCookies } from '#auth/guards/api/token_cookies'
import type { ApiRoute } from './routes.ts'

/* The document contains the cookie only with `AUTH_COOKIES=on`. */

const client = {
  type: 'http',
  scheme: 'basic',
  description: 'Id and secret of an application. A public client sends `client_id` in the body.',
}

const cookie = {
  type: 'apiKey',
  in: 'cookie',
  name: accessCookieName,
  description:
    'With `AUTH_COOKIES=on` a login sets this HttpOnly cookie, and the browser sends it by itself. A Bearer header takes precedence. Methods other than GET need a request from a page of the same origin.',
}

export const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The `accessToken` of a login.',
  },
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'gh_<id>_<secret>_<checksum>',
    description: 'An API key, in the same header, where the operation names its scope.',
  },
  ...(oidc.isOn && { client }),
  ...(hasCookies && { cookie }),
}

const ACCEPTED = [{ bearer: [] }, ...(hasCookies ? [{ cookie: [] }] : [])]

const SECURITY = {
  required: ACCEPTED,
  optional: [{}, ...ACCEPTED],
  none: [],
  key: [],
  client: [{ client: [] }, {}],
}

/** An empty object means no token. */
export function securityOf({ method, pattern, token }: ApiRoute) {
  const takesKey = scopeOfRoute({ methods: [method], pattern }) !== undefined
  return takesKey ? [...SECURITY[token], { apiKey: [] }] : SECURITY[token]
}

/** A browser also sends the cookie with a change from another site. */
export function crossSiteRefusals({ method, token }: ApiRoute) {
  return hasCookies && token !== 'none' && method !== 'GET' ? [E_CROSS_SITE] : []
}
