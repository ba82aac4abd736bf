import { ASSERTION_TYPE } from '#oidc/assertions/verify_assertion'
import { record, ref, type Schema } from '../schema.ts'
import { AUTHORIZATION_PARAMETERS } from '../schemas/authorization_parameters.ts'
import { count, text, uuid, yesNo } from '../schemas/fields.ts'
import type { Answer, Operations, Parameter } from '../operation.ts'

/** Every client reads these members. OpenID Connect Discovery 1.0 and RFC 8414 allow others. */
const discovery: Answer = {
  description: 'The metadata of the provider',
  headers: { 'Cache-Control': 'How long to keep it.' },
  schema: {
    ...record({
      issuer: { ...text, format: 'uri', example: 'https://id.example.org' },
      authorization_endpoint: url('/oauth/authorize'),
      token_endpoint: url('/oauth/token'),
      userinfo_endpoint: url('/oauth/userinfo'),
      jwks_uri: url('/.well-known/jwks.json'),
    }),
    additionalProperties: true,
  },
}

function url(path: string): Schema {
  return { ...text, format: 'uri', example: `https://id.example.org${path}` }
}

const refusedVersion: Record<number, Answer> = {
  400: { description: 'An `X-API-Version` that does not exist', schema: ref('Error') },
}

const refused: Record<number, Answer> = {
  400: { description: 'The request is refused (RFC 6749, section 5.2)', schema: ref('OAuthError') },
  401: { description: 'The client is refused', schema: ref('OAuthError') },
  429: {
    description: 'Too many requests',
    headers: { 'Retry-After': 'Seconds to wait before another try.' },
    schema: ref('OAuthError'),
  },
  503: {
    description: 'Temporarily unavailable',
    headers: { 'Retry-After': 'Seconds to wait before another try.' },
    schema: ref('OAuthError'),
  },
}

function page(description: string): Answer {
  return { description, schema: text, type: 'text/html', example: '<!doctype html>…' }
}

function form(properties: Record<string, Schema>, required: string[]) {
  const type = 'application/x-www-form-urlencoded'
  const client = {
    client_id: { ...text, description: 'Of a public client, or beside `client_secret`.' },
    client_secret: { ...text, description: 'Where the client sends it in the body.' },
    client_assertion: { ...text, description: 'Of a client with a key (RFC 7523).' },
    client_assertion_type: { ...text, enum: [ASSERTION_TYPE] },
  }
  const schema: Schema = { type: 'object', properties: { ...properties, ...client } }
  return { type, schema: { ...schema, ...(required.length > 0 && { required }) } }
}

function parameter(name: string, description: string, schema: Schema = text): Parameter {
  return { name, in: 'query', description, schema }
}

const REQUIRED = new Set(['client_id'])

const authorizationParameters = Object.entries(AUTHORIZATION_PARAMETERS).map(
  ([name, description]) => ({
    ...parameter(name, description),
    required: REQUIRED.has(name),
  })
)

const pushed = Object.fromEntries(
  Object.entries(AUTHORIZATION_PARAMETERS)
    .filter(([name]) => name !== 'request_uri' && name !== 'client_id')
    .map(([name, description]) => [name, { ...text, description }])
)

const GRANT_TYPES = [
  'authorization_code',
  'refresh_token',
  'client_credentials',
  'urn:ietf:params:oauth:grant-type:device_code',
]

/** OpenID Connect Core 1.0 and OAuth 2.0. */
export const oauthOperations: Operations = {
  'GET /.well-known/openid-configuration': {
    summary: 'Read the metadata of the provider',
    description: 'OpenID Connect Discovery 1.0: most libraries need only this address.',
    answers: { 200: discovery, ...refusedVersion },
  },
  'GET /.well-known/oauth-authorization-server': {
    summary: 'Read the metadata of the authorization server',
    description: 'RFC 8414, with the same members.',
    answers: { 200: discovery, ...refusedVersion },
  },
  'GET /oauth/authorize': {
    summary: 'Sign a user in to an application',
    description:
      'The browser goes here, and comes back to `redirect_uri` with `code` or `error` (RFC 6749, section 4.1). A request without a known application and address gets an error page.',
    parameters: authorizationParameters,
    answers: {
      303: { description: 'On to the sign-in, or back to the application', schema: {} },
      400: page('Why nothing can be sent to the application'),
      429: page('Too many requests'),
      503: page('Temporarily unavailable'),
    },
  },
  'POST /oauth/par': {
    summary: 'Push an authorization request',
    description:
      'RFC 9126: the parameters of `/oauth/authorize`, sent by the server of the client.',
    upload: form(pushed, []),
    answers: {
      201: {
        description: 'What to send the browser with',
        schema: record({
          request_uri: { ...text, example: 'urn:ietf:params:oauth:request_uri:9f2c' },
          expires_in: count,
        }),
      },
      ...refused,
    },
  },
  'POST /oauth/token': {
    summary: 'Get tokens',
    description:
      'In exchange for a code, a refresh token, the credentials of the client or the code of a device. With a `DPoP` proof the tokens are bound to its key (RFC 9449).',
    upload: form(
      {
        grant_type: { ...text, enum: GRANT_TYPES },
        code: { ...text, description: 'Of `authorization_code`.' },
        redirect_uri: { ...text, description: 'As in the authorization request.' },
        code_verifier: { ...text, description: 'Of the `code_challenge`.' },
        refresh_token: { ...text, description: 'Of `refresh_token`.' },
        device_code: { ...text, description: 'Of the device flow.' },
        scope: { ...text, description: 'Fewer scopes than were granted.' },
        resource: { ...text, description: 'The service for which the token is (RFC 8707).' },
      },
      ['grant_type']
    ),
    answers: { 200: { description: 'The tokens', schema: ref('OAuthTokens') }, ...refused },
  },
  'POST /oauth/device/authorization': {
    summary: 'Sign in on a device without a browser',
    description:
      'RFC 8628: show `user_code` and `verification_uri`, then poll `/oauth/token` with `device_code`.',
    upload: form({ scope: text }, []),
    answers: {
      200: {
        description: 'The code to show and the code to poll with',
        schema: record(
          {
            device_code: text,
            user_code: { ...text, example: 'WDJB-MJHT' },
            verification_uri: { ...text, format: 'uri' },
            verification_uri_complete: { ...text, format: 'uri' },
            expires_in: count,
            interval: count,
          },
          ['interval']
        ),
      },
      ...refused,
    },
  },
  'GET /oauth/userinfo': {
    summary: 'Read the claims of the user',
    description:
      'For access tokens with the scope `openid`; `scope` decides which claims there are.',
    answers: {
      200: {
        description: 'The claims',
        schema: {
          ...record({ sub: uuid, email: text, email_verified: yesNo, name: text }, [
            'email',
            'email_verified',
            'name',
          ]),
          additionalProperties: true,
        },
      },
      401: { description: 'The token is refused', schema: ref('OAuthError') },
      403: { description: 'The token lacks the scope `openid`', schema: ref('OAuthError') },
      ...{ 400: refused[400], 429: refused[429], 503: refused[503] },
    },
  },
  'POST /oauth/revoke': {
    summary: 'Revoke a token',
    description:
      'RFC 7009: with a refresh token its session ends too, an access token ends alone. An unknown token is no error.',
    upload: form({ token: text, token_type_hint: text }, ['token']),
    answers: { 200: { description: 'It is refused from now on', schema: {} }, ...refused },
  },
  'GET /oauth/logout': {
    summary: 'Sign a user out',
    description:
      'RP-Initiated Logout 1.0: the browser goes here and on to `post_logout_redirect_uri`. An ID token of a first party from a session that began in this browser signs out immediately; otherwise a page asks.',
    parameters: [
      parameter('id_token_hint', 'The last ID token of the application.'),
      parameter('client_id', 'Id of the application.'),
      parameter('post_logout_redirect_uri', 'One of the addresses of the application.'),
      parameter('state', 'Comes back as it was sent.'),
    ],
    answers: {
      200: page('Asks whether to sign out'),
      303: { description: 'Signed out, and back to the application', schema: {} },
      400: page('An address or a token that does not fit the application'),
    },
  },
}
