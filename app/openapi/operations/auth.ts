import { refusalOf } from '#auth/sign_in/result'
import {
  E_ACCOUNT_DISABLED,
  E_ACCOUNT_LOCKED,
  E_CROSS_SITE,
  E_EMAIL_UNVERIFIED,
  E_INVALID_REFRESH_TOKEN,
  E_MFA_SUSPENDED,
} from '#auth/errors'
import { E_BAD_REQUEST, E_BUSY, E_TOO_MANY_REQUESTS } from '#exceptions/http_errors'
import { E_EMAIL_TAKEN, E_SIGN_UP_CLOSED } from '#users/errors'
import { loginValidator, refreshValidator, registerValidator } from '#validators/auth'
import { ref } from '../schema.ts'
import { MFA_TOKEN, RESET_TOKEN } from '../examples.ts'
import { deviceHeaders, deviceTokenAnswer } from '../headers.ts'
import { userExample } from '../schemas/user.ts'
import type { Operations } from '../operation.ts'

export const authOperations: Operations = {
  'POST /auth/register': {
    summary: 'Register an account',
    description:
      'The account gets the role `User`. With `SIGN_UP=invite` nobody can register, with `SIGN_UP_DOMAINS` only addresses of these domains can. Keys that the body should not have are ignored. A password has at least 8 characters; by default also an uppercase and a lowercase letter, a digit and one of `!@#$%^&*`.',
    body: registerValidator,
    answers: {
      201: {
        description: 'The account',
        schema: ref('User'),
        example: userExample({ emailVerified: false, nickname: null, lastLoginAt: null }),
      },
    },
    refusals: [E_SIGN_UP_CLOSED, E_EMAIL_TAKEN, E_TOO_MANY_REQUESTS, E_BUSY],
  },
  'POST /auth/login': {
    summary: 'Log in with e-mail and password',
    description:
      'Starts a session. A login with the `x-device-id` of an earlier one replaces its session. An unknown e-mail is answered like a wrong password. The fifth wrong password locks the account for a while; from a known device (`x-device-token`) it locks only that device. A password that an administrator generated starts no session: the `resetToken` of the answer replaces it at `/auth/reset-password`.',
    body: loginValidator,
    parameters: deviceHeaders,
    answers: {
      200: {
        description: 'Tokens of a new session',
        schema: ref('LoginResponse'),
        headers: deviceTokenAnswer,
      },
    },
    refusals: [
      new E_BAD_REQUEST('The x-device-id header must be 1 to 128 printable ASCII characters'),
      refusalOf({ outcome: 'wrong_credentials', attemptsRemaining: 4 }),
      refusalOf({
        outcome: 'mfa_required',
        mfaToken: MFA_TOKEN,
        expiresIn: 300,
      }),
      refusalOf({ outcome: 'wrong_code', attemptsRemaining: 4 }),
      new E_ACCOUNT_LOCKED().retryAfter(1_800),
      E_MFA_SUSPENDED,
      E_ACCOUNT_DISABLED,
      E_EMAIL_UNVERIFIED,
      refusalOf({
        outcome: 'password_change_required',
        resetToken: RESET_TOKEN,
      }),
      new E_TOO_MANY_REQUESTS().retryAfter(42),
      E_BUSY,
    ],
  },
  'POST /auth/refresh': {
    summary: 'Get a new access token',
    description:
      'The refresh token in the body is the credential: no Bearer token is needed. With `REFRESH_ROTATION=on` the answer contains its successor; with `AUTH_COOKIES=on` the token may come as a cookie.',
    body: refreshValidator,
    answers: { 200: { description: 'A new access token', schema: ref('RefreshResponse') } },
    refusals: [E_INVALID_REFRESH_TOKEN, E_EMAIL_UNVERIFIED, E_CROSS_SITE],
  },
}
