import type { HttpContext } from '@adonisjs/core/http'
import { originOf } from '#controllers/request_origin'
import { DEFAULT_DEVICE_ID, type Device } from '#auth/sessions/device'
import { throttleLogin } from '#auth/lockout/throttle'
import { signIn, type SignInResult } from '#auth/sign_in'
import {
  E_ACCOUNT_DISABLED,
  E_EMAIL_UNVERIFIED,
  E_FORBIDDEN,
  E_INVALID_CREDENTIALS,
  E_PASSWORD_CHANGE_REQUIRED,
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
  return admitted(await signIn({ ...credentials, device: consoleDeviceOf(ctx) }))
}

function admitted(result: SignInResult) {
  switch (result.outcome) {
    case 'signed_in':
      return result
    case 'wrong_credentials':
      throw E_INVALID_CREDENTIALS.withRemaining(result.attemptsRemaining)
    case 'disabled':
      throw new E_ACCOUNT_DISABLED()
    case 'unverified':
      throw new E_EMAIL_UNVERIFIED()
    case 'password_change_required':
      throw E_PASSWORD_CHANGE_REQUIRED.withToken(result.resetToken)
    case 'not_admin':
      throw new E_FORBIDDEN('Only administrators can sign in here')
    default:
      return result satisfies never
  }
}
