import type { HttpContext } from '@adonisjs/core/http'
import { originOf } from '#http/request_origin'
import { DEFAULT_DEVICE_ID, type Device } from '#auth/sessions/device'
import { throttleLogin, throttleMfa } from '#auth/lockout/throttle'
import { signIn, verifyMfaChallenge, type SignInResult } from '#auth/sign_in/sign_in'
import {
  E_ACCOUNT_DISABLED,
  E_EMAIL_UNVERIFIED,
  E_FORBIDDEN,
  E_INVALID_CREDENTIALS,
  E_WRONG_CODE,
} from '#auth/errors'

/** The device of a sign-in to the console. */
export function consoleDeviceOf(ctx: HttpContext): Device {
  return { id: DEFAULT_DEVICE_ID, ...originOf(ctx), client: 'console' }
}

/** The login of the API, for the console: its throttle, its lock and its refusals. */
export async function signInToConsole(
  ctx: HttpContext,
  credentials: { email: string; password: string }
) {
  await throttleLogin(ctx.request.ip(), credentials.email)
  return signInStep(await signIn({ ...credentials, device: consoleDeviceOf(ctx) }))
}

/** The second step, with the same limits. */
export async function verifyAtConsole(ctx: HttpContext, step: { mfaToken: string; code: string }) {
  await throttleMfa(ctx.request.ip())
  return signInStep(await verifyMfaChallenge({ ...step, device: consoleDeviceOf(ctx) }))
}

/** What lets somebody on: a session, the second step, or the way to a password of their own. */
export type SignInStep = Extract<
  SignInResult,
  { outcome: 'signed_in' | 'mfa_required' | 'password_change_required' }
>

function signInStep(result: SignInResult): SignInStep {
  switch (result.outcome) {
    case 'signed_in':
    case 'mfa_required':
    case 'password_change_required':
      return result
    case 'wrong_credentials':
      throw E_INVALID_CREDENTIALS.withRemaining(result.attemptsRemaining)
    case 'wrong_code':
      throw E_WRONG_CODE.withRemaining(result.attemptsRemaining)
    case 'disabled':
      throw new E_ACCOUNT_DISABLED()
    case 'unverified':
      throw new E_EMAIL_UNVERIFIED()
    case 'not_admin':
      throw new E_FORBIDDEN('Only administrators can sign in here')
    default:
      return result satisfies never
  }
}
