import type { EVENTS } from './openid_events.ts'
import type { STEPS } from './openid_steps.ts'

/* The outcome of each step of a flow after each event. */

export type Outcomes = Record<keyof typeof STEPS, string>

/** The outcomes after an event that ends and refuses nothing. */
export const OPEN: Outcomes = {
  'the sign-in': 'code',
  'the second factor': 'code',
  'the choice of an account': 'code',
  'the consent': 'code',
  'the consent to a claim': 'code',
  'the code of an address': 'code',
  'another authorization': 'code',
  'a pushed request': 'code',
  'the code': 'good',
  'the refresh': 'good',
  'userinfo': 'good',
  'the logout': '200 /oauth/logout',
  'the API': '200',
  'introspection': 'active: true',
  'introspection of an API token': 'active: true',
  'introspection of a token for others': 'active: true',
  'the sign-in for a device': '200 /oauth/device',
  'the consent for a device': '200, good',
  'the poll of a device': 'good',
}

/** Pages that require a signed-in user. */
const NO_WEB_SESSION = {
  'the second factor': '401 /confirm',
  'the choice of an account': '200 /sign-in',
  'the consent': '200 /sign-in',
  'the consent to a claim': '200 /sign-in',
  'the code of an address': '401 /oauth/interaction',
  'another authorization': '200 /sign-in',
  'a pushed request': '200 /sign-in',
  'the consent for a device': '401, authorization_pending',
}

const NO_GRANT = {
  'the code': 'invalid_grant',
  'the refresh': 'invalid_grant',
  'userinfo': 'invalid_token',
  'the API': '401 E_TOKEN_REVOKED',
  'introspection': 'active: false',
  'introspection of an API token': 'active: false',
  'introspection of a token for others': 'active: false',
  'the poll of a device': 'invalid_grant',
}

const SIGNED_OUT = { ...OPEN, ...NO_WEB_SESSION, ...NO_GRANT }

const KEPT_OUT = { ...SIGNED_OUT, 'the sign-in': '403 /sign-in' }

/** The password no longer signs the user in. */
const WRONG_PASSWORD: Outcomes = {
  ...SIGNED_OUT,
  'the sign-in': '401 /sign-in',
  'the sign-in for a device': '401 /sign-in',
}

const ASKED_FOR_CODE = {
  'the sign-in': '200 /sign-in',
  'the sign-in for a device': '200 /sign-in',
}

const ASKED_AGAIN = '200 /oauth/interaction'

/** New sign-ins and authorizations are refused; existing tokens stay valid. */
const LOCKED: Outcomes = {
  ...OPEN,
  'the sign-in': '403 /sign-in',
  'the second factor': '403 /oauth/interaction',
  'the choice of an account': '403 /oauth/interaction',
  'the consent': '403 /oauth/interaction',
  'the consent to a claim': '403 /oauth/interaction',
  'the code of an address': '403 /oauth/interaction',
  'another authorization': '403 /oauth/interaction',
  'a pushed request': '403 /oauth/interaction',
  'the sign-in for a device': '403 /sign-in',
  'the consent for a device': '403, authorization_pending',
}

export const OUTCOMES: Record<keyof typeof EVENTS, Outcomes> = {
  'nothing': OPEN,
  'a lock by failures': LOCKED,
  'a lock by an administrator': LOCKED,
  'disabling': { ...KEPT_OUT, 'the sign-in for a device': '403 /sign-in' },
  /** As for `GET /auth/profile`, access tokens of the API stay valid until they expire. */
  'losing the verified address': {
    ...KEPT_OUT,
    'the code of an address': 'code',
    'the sign-in for a device': '403 /sign-in',
    'the API': '200',
    'introspection of an API token': 'active: true',
  },
  'a password to be changed': {
    ...SIGNED_OUT,
    'the sign-in': '200 /sign-in/password',
    'the sign-in for a device': '200 /sign-in/password',
  },
  'a new password': WRONG_PASSWORD,
  'deletion': WRONG_PASSWORD,
  'demotion': SIGNED_OUT,
  'a second factor': { ...OPEN, ...ASKED_FOR_CODE, 'the second factor': '422 /confirm' },
  'enrolment in MFA elsewhere': { ...SIGNED_OUT, ...ASKED_FOR_CODE },
  'a reset of MFA': SIGNED_OUT,
  'the person signing out of all': SIGNED_OUT,
  'the end of the web session': { ...OPEN, ...NO_WEB_SESSION },
  'the end of the grant': { ...OPEN, ...NO_GRANT },
  'deletion of the client': {
    ...SIGNED_OUT,
    'the sign-in': '400 /oauth/authorize',
    'the second factor': '404 /oauth/interaction',
    'the choice of an account': '404 /oauth/interaction',
    'the consent': '404 /oauth/interaction',
    'the consent to a claim': '404 /oauth/interaction',
    'the code of an address': '404 /oauth/interaction',
    'the logout': '400 /oauth/logout',
    'another authorization': '400 /oauth/authorize',
    'a pushed request': '400 /oauth/authorize',
    'the code': 'invalid_client',
    'the refresh': 'invalid_client',
    'introspection': '401',
    'introspection of an API token': '401',
    'introspection of a token for others': '401',
    'the consent for a device': '422, invalid_client',
    'the poll of a device': 'invalid_client',
  },
  /** The former secret is valid for another day. */
  'another secret': OPEN,
  'another algorithm of ID tokens': OPEN,
  'another secret twice': {
    ...OPEN,
    'the code': 'invalid_client',
    'the refresh': 'invalid_client',
    'introspection': '401',
    'introspection of an API token': '401',
    'introspection of a token for others': '401',
    'the consent for a device': '200, invalid_client',
    'the poll of a device': 'invalid_client',
  },
  'withdrawal of the consent': {
    ...OPEN,
    ...NO_GRANT,
    'the sign-in': ASKED_AGAIN,
    'the second factor': ASKED_AGAIN,
    'the choice of an account': ASKED_AGAIN,
    'the code of an address': ASKED_AGAIN,
    'another authorization': ASKED_AGAIN,
    'a pushed request': ASKED_AGAIN,
  },
}
