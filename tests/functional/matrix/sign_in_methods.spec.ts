import { test } from '@japa/runner'
import type User from '#models/user'
import { deleteUser } from '#users/delete_user'
import { lockUser } from '#users/lock_user'
import { setPassword } from '#users/change_password'
import { changeRole } from '#users/change_role'
import { disableUser } from '#users/disable_user'
import { updateUser } from '#users/update_user'
import { SYSTEM } from '#audit/actor'
import { createAdmin, login, PASSWORD } from '#tests/support/fixtures'
import { giveSecondFactor, SIGN_IN_METHODS } from './sign_in_methods.ts'
import type { ApiClient } from '@japa/api-client'

/*
 | Every sign-in method × every state of a user. The state changes during the sign-in: after the
 | login whose code is still due, or after the start of the session whose token is used. A new
 | sign-in method adds a function to SIGN_IN_METHODS and its column here; a new state adds its row.
 */

type State = (user: User, client: ApiClient) => Promise<unknown>

async function lockByFailures({ email }: User, client: ApiClient) {
  for (let count = 0; count < 5; count++) await login(client, { email, password: 'Wrong-h0rse!' })
}

const HOUR_MS = 3_600_000

const STATES: Record<string, State> = {
  'free': async () => {},
  'locked by failures': lockByFailures,
  'locked by an administrator': (user) => lockUser(user.id, Date.now() + HOUR_MS, SYSTEM),
  'disabled': (user) => disableUser(user.id, {}, SYSTEM),
  'unverified': (user) => updateUser(user.id, { emailVerified: false }, SYSTEM),
  'without a password': (user) => user.merge({ password: null }).save(),
  'with a password to be changed': (user) =>
    setPassword(user, PASSWORD, { actor: SYSTEM, mustChange: true }),
  'with a second factor': (user) => giveSecondFactor(user),
  'demoted': (user) => changeRole(user.id, 'User', SYSTEM),
  'deleted': (user) => deleteUser(user.id, SYSTEM),
}

const LOCKED = '403 E_ACCOUNT_LOCKED'
const DISABLED = '403 E_ACCOUNT_DISABLED'
const UNAUTHORIZED = '401 E_INVALID_CREDENTIALS'
const REVOKED = '401 E_TOKEN_REVOKED'
const NO_REFRESH = '401 E_INVALID_REFRESH_TOKEN'
const NO_CHALLENGE = '401 E_INVALID_MFA_TOKEN'
const NO_PASSKEY = '401 E_PASSKEY_INVALID'
const NO_KEY = '401 E_UNAUTHORIZED'
const NO_GRANT = '400 invalid_grant'
const SIGNED_IN = '303 /account'
const ASKS = '302 /sign-in'

type Outcomes = Record<keyof typeof SIGN_IN_METHODS, string>

const ALL_OPEN: Outcomes = {
  'password': '200',
  'code': '200',
  'passkey': '200',
  'signed passkey': '200',
  'passkey step': '200',
  'external': '200',
  'refresh': '200',
  'access token': '200',
  'API key': '200',
  'API key of an administrator': '200',
  'token of an application': '200',
  'refresh of an application': '200',
  'sign-in page': SIGNED_IN,
  'code page': SIGNED_IN,
  'external page': SIGNED_IN,
  'address code': 'signed in',
  'account page': '200',
  'console': '200',
}

const LOCKED_OUT: Outcomes = {
  ...ALL_OPEN,
  'password': LOCKED,
  'code': LOCKED,
  'external': LOCKED,
  'sign-in page': '403',
  'code page': '403',
  'external page': '403',
  'address code': 'waits 403',
}

const MATRIX: Record<keyof typeof STATES, Outcomes> = {
  'free': ALL_OPEN,
  'locked by failures': LOCKED_OUT,
  'locked by an administrator': {
    ...LOCKED_OUT,
    'passkey': LOCKED,
    'signed passkey': LOCKED,
    'passkey step': LOCKED,
  },
  'disabled': {
    'password': DISABLED,
    'code': DISABLED,
    'passkey': DISABLED,
    'signed passkey': DISABLED,
    'passkey step': DISABLED,
    'external': DISABLED,
    'refresh': NO_REFRESH,
    'access token': REVOKED,
    'API key': NO_KEY,
    'API key of an administrator': NO_KEY,
    'token of an application': REVOKED,
    'refresh of an application': NO_GRANT,
    'sign-in page': '403',
    'code page': '403',
    'external page': '403',
    'address code': 'waits 401',
    'account page': ASKS,
    'console': ASKS,
  },
  'unverified': ALL_OPEN,
  'without a password': { ...ALL_OPEN, 'password': UNAUTHORIZED, 'sign-in page': '401' },
  'with a password to be changed': {
    'password': '403 E_PASSWORD_CHANGE_REQUIRED',
    'code': NO_CHALLENGE,
    'passkey': '200',
    'signed passkey': '200',
    'passkey step': NO_CHALLENGE,
    'external': '400 E_INVALID_TOKEN',
    'refresh': NO_REFRESH,
    'access token': REVOKED,
    'API key': NO_KEY,
    'API key of an administrator': NO_KEY,
    'token of an application': REVOKED,
    'refresh of an application': NO_GRANT,
    'sign-in page': '303 /sign-in/password',
    'code page': '401',
    'external page': '400',
    'address code': 'waits 401',
    'account page': ASKS,
    'console': ASKS,
  },
  'with a second factor': {
    ...ALL_OPEN,
    'password': '401 E_MFA_REQUIRED',
    'code': '401 E_INVALID_CODE',
    'external': '401 E_MFA_REQUIRED',
    'sign-in page': '200',
    'code page': '401',
    'external page': '200',
  },
  'demoted': {
    ...ALL_OPEN,
    'refresh': NO_REFRESH,
    'access token': REVOKED,
    'API key of an administrator': NO_KEY,
    'token of an application': REVOKED,
    'refresh of an application': NO_GRANT,
    'address code': 'waits 401',
    'account page': ASKS,
    'console': ASKS,
  },
  'deleted': {
    'password': UNAUTHORIZED,
    'code': NO_CHALLENGE,
    'passkey': NO_PASSKEY,
    'signed passkey': NO_PASSKEY,
    'passkey step': NO_CHALLENGE,
    'external': '400 E_INVALID_TOKEN',
    'refresh': NO_REFRESH,
    'access token': REVOKED,
    'API key': NO_KEY,
    'API key of an administrator': NO_KEY,
    'token of an application': REVOKED,
    'refresh of an application': NO_GRANT,
    'sign-in page': '401',
    'code page': '401',
    'external page': '400',
    'address code': 'waits 401',
    'account page': ASKS,
    'console': ASKS,
  },
}

test.group('Matrix | sign-in methods by state', () => {
  const cells = Object.entries(MATRIX).flatMap(([state, outcomes]) =>
    Object.entries(outcomes).map(([way, outcome]) => ({ state, way, outcome }))
  )

  test('{way} of a user {state}: {outcome}')
    .with(cells)
    .run(async ({ client, assert }, { state, way, outcome }) => {
      await createAdmin()
      const user = await createAdmin({ isVerified: true })
      const enter = await SIGN_IN_METHODS[way as keyof typeof SIGN_IN_METHODS](client, user)
      await STATES[state](user, client)
      assert.equal(await enter(), outcome)
    })
})
