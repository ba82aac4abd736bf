import { E_INVALID_TOKEN, E_LAST_ADMIN, E_SAME_PASSWORD, E_UNAUTHORIZED } from '#auth/errors'
import { E_BUSY, E_TOO_MANY_REQUESTS } from '#exceptions/http_errors'
import {
  forgotPasswordValidator,
  resendVerificationValidator,
  resetPasswordValidator,
  verifyEmailValidator,
} from '#validators/auth'
import { E_EMAIL_TAKEN } from '#users/errors'
import { ONE_TIME_TOKEN, PASSWORD } from '../examples.ts'
import { message } from '../schemas/fields.ts'
import { passwordSet } from '../schemas/password_set.ts'
import { record } from '../schema.ts'
import type { Operations } from '../operation.ts'

export const recoveryOperations: Operations = {
  'POST /auth/forgot-password': {
    summary: 'Ask for a mail to set a new password',
    description: 'The answer is the same, and as fast, whether or not the account exists.',
    body: forgotPasswordValidator,
    answers: {
      202: {
        description: 'Accepted',
        schema: message('If the address belongs to an account, a mail is on its way'),
      },
    },
    refusals: [new E_TOO_MANY_REQUESTS().retryAfter(1_800)],
  },
  'POST /auth/reset-password': {
    summary: 'Set a new password with the token of the mail',
    description:
      'The token works once, for 30 minutes. Send `newPassword`, or `password`, its other name. Every session ends and a lock is lifted; multi-factor login stays on. Identities, passkeys and API keys of a verified address stay unless `removeIdentities`, `removePasskeys` or `removeApiKeys` is true; the token of a login that asks for another password does not allow them. Administrators keep the second factor that `ADMIN_REQUIRE_MFA` asks for, codes or else passkeys; the answer lists what is left.',
    body: resetPasswordValidator,
    bodyExample: { token: ONE_TIME_TOKEN, newPassword: PASSWORD },
    answers: {
      200: {
        description: 'Set',
        schema: passwordSet,
      },
    },
    refusals: [
      E_INVALID_TOKEN,
      E_SAME_PASSWORD,
      E_LAST_ADMIN,
      new E_TOO_MANY_REQUESTS().retryAfter(600),
      E_BUSY,
    ],
  },
  'POST /auth/verify-email': {
    summary: 'Verify an e-mail address with the token of the mail',
    description: 'A pending address becomes `email`, unless another account has it by now.',
    body: verifyEmailValidator,
    answers: {
      200: {
        description: 'Verified',
        schema: record({
          message: { type: 'string', example: 'Email verified' },
          emailVerified: { type: 'boolean', enum: [true] },
        }),
      },
    },
    refusals: [E_INVALID_TOKEN, E_EMAIL_TAKEN, new E_TOO_MANY_REQUESTS().retryAfter(600)],
  },
  'POST /auth/verify-email/resend': {
    summary: 'Ask for the mail that verifies an address once more',
    description:
      'For the pending address of the caller, otherwise the present one; without a token, the one in the body.',
    body: resendVerificationValidator,
    isBodyOptional: true,
    answers: {
      202: {
        description: 'Accepted',
        schema: message('If the address is waiting to be verified, a mail is on its way'),
      },
    },
    refusals: [E_UNAUTHORIZED, new E_TOO_MANY_REQUESTS().retryAfter(1_800)],
  },
}
