import type { Refusal } from '#exceptions/refusal'
import {
  E_ACCOUNT_DISABLED,
  E_EMAIL_UNVERIFIED,
  E_INVALID_CODE,
  E_INVALID_CREDENTIALS,
  E_MFA_REQUIRED,
  E_PASSWORD_CHANGE_REQUIRED,
} from '#auth/errors'
import type { StartedSession } from '#auth/sessions/sessions'
import type User from '#models/user'

export type SignedIn = StartedSession & {
  outcome: 'signed_in'
  user: User
  accessToken: string
  /** Null for a client without a device id. */
  deviceToken: string | null
}

export type StoppedSignIn =
  /** The second step is still missing; `expiresIn` is in seconds. */
  | { outcome: 'mfa_required'; mfaToken: string; expiresIn: number }
  | { outcome: 'wrong_credentials'; attemptsRemaining: number }
  | { outcome: 'wrong_code'; attemptsRemaining: number }
  /** An administrator chose the password; `resetToken` sets another one, as a mailed link does. */
  | { outcome: 'password_change_required'; resetToken: string }
  | { outcome: 'disabled' }
  | { outcome: 'unverified' }

/** A lock is thrown as an error instead, because no caller branches on a lock. */
export type SignInResult = SignedIn | StoppedSignIn

export function refusalOf(result: StoppedSignIn): Refusal {
  switch (result.outcome) {
    case 'mfa_required':
      return new E_MFA_REQUIRED().with({ mfaToken: result.mfaToken, expiresIn: result.expiresIn })
    case 'wrong_credentials':
      return new E_INVALID_CREDENTIALS(attemptsMessage('Invalid credentials', result)).with({
        attemptsRemaining: result.attemptsRemaining,
      })
    case 'wrong_code':
      return wrongCode(result)
    case 'password_change_required':
      return new E_PASSWORD_CHANGE_REQUIRED().with({ resetToken: result.resetToken })
    case 'disabled':
      return new E_ACCOUNT_DISABLED()
    case 'unverified':
      return new E_EMAIL_UNVERIFIED()
    default:
      return result satisfies never
  }
}

// The status is 401, because the code is a credential. An enrolment answers a wrong code with 400.
function wrongCode({ attemptsRemaining }: { attemptsRemaining: number }) {
  const message = attemptsMessage('Invalid verification code', { attemptsRemaining })
  return new E_INVALID_CODE(message, { status: 401 }).with({ attemptsRemaining })
}

function attemptsMessage(message: string, { attemptsRemaining }: { attemptsRemaining: number }) {
  return `${message}. ${attemptsRemaining} attempts remaining`
}
