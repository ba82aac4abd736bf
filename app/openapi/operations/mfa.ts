import { refusalOf } from '#auth/sign_in/result'
import {
  E_ACCOUNT_DISABLED,
  E_ACCOUNT_LOCKED,
  E_EMAIL_UNVERIFIED,
  E_IDENTITY_LIMIT,
  E_IDENTITY_TAKEN,
  E_INVALID_CODE,
  E_INVALID_CREDENTIALS,
  E_INVALID_MFA_TOKEN,
  E_MFA_ENABLED,
  E_MFA_NOT_ENABLED,
  E_MFA_SUSPENDED,
  E_PASSKEY_INVALID,
} from '#auth/errors'
import { E_NOT_FOUND, E_TOO_MANY_REQUESTS } from '#exceptions/http_errors'
import { secondStepValidator, mfaCodeValidator } from '#validators/mfa'
import { record, ref, type Schema } from '../schema.ts'
import { MFA_TOKEN, RESET_TOKEN } from '../examples.ts'
import { deviceHeaders, deviceTokenAnswer } from '../headers.ts'
import {
  REAUTHENTICATION,
  reauthenticationBody,
  reauthenticationRefusals,
} from './reauthentication.ts'
import type { Operations } from '../operation.ts'

const backupCodes: Schema = {
  type: 'array',
  items: { type: 'string', pattern: '^[A-Z0-9]{10}$' },
  minItems: 10,
  maxItems: 10,
  example: [
    'K4Z7Q1XW9B',
    'T0M3RC8VYA',
    'P6HJ2NDE5U',
    'G9SLF1K7XO',
    'B3WQY8ZT4I',
    'V5CA0EM6RN',
    'D2UXJ9PH7K',
    'Z8OT4GL1SQ',
    'N7IR5VB3WF',
    'Y1EK6DC0JM',
  ],
}

const changeRefusals = [...reauthenticationRefusals, E_MFA_NOT_ENABLED, E_NOT_FOUND]

export const mfaOperations: Operations = {
  'POST /auth/mfa/verify': {
    summary: 'Finish a login with a code or a passkey',
    description:
      'The second step of a login that was answered with `E_MFA_REQUIRED`: send the `mfaToken` of that answer, and a one-time or backup code. In place of the code, `passkey` is the response of a passkey of the account to a challenge of `POST /auth/passkeys/login-options`. The fifth wrong code in a window locks the account, and ends the challenge. From the twentieth wrong code in a row on, one-time codes are refused with `E_MFA_SUSPENDED` until a backup code or a passkey is used, or an administrator resets the second factor.',
    body: secondStepValidator,
    bodyExample: { mfaToken: MFA_TOKEN, code: '492039' },
    parameters: deviceHeaders,
    answers: {
      200: {
        description: 'Tokens of a new session',
        schema: ref('LoginResponse'),
        headers: deviceTokenAnswer,
      },
    },
    refusals: [
      refusalOf({ outcome: 'wrong_code', attemptsRemaining: 4 }),
      E_INVALID_MFA_TOKEN,
      E_PASSKEY_INVALID,
      E_INVALID_CREDENTIALS,
      E_IDENTITY_TAKEN,
      E_IDENTITY_LIMIT,
      new E_ACCOUNT_LOCKED().retryAfter(1_800),
      E_MFA_SUSPENDED,
      E_ACCOUNT_DISABLED,
      E_EMAIL_UNVERIFIED,
      refusalOf({
        outcome: 'password_change_required',
        resetToken: RESET_TOKEN,
      }),
      new E_TOO_MANY_REQUESTS().retryAfter(42),
    ],
  },
  'POST /auth/mfa/setup': {
    summary: 'Show a secret for an authenticator app',
    description: 'Nothing changes until a code confirms it within ten minutes.',
    ...reauthenticationBody,
    answers: {
      200: {
        description: 'The secret, for the app to keep',
        schema: record({
          secret: { type: 'string', example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' },
          otpauthUrl: {
            type: 'string',
            example:
              'otpauth://totp/Gatehouse:ada%40example.org?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Gatehouse',
          },
          qrCode: { type: 'string', description: 'A data URL', example: 'data:image/png;base64,…' },
        }),
      },
    },
    refusals: [...reauthenticationRefusals, E_MFA_ENABLED, E_NOT_FOUND],
  },
  'POST /auth/mfa/enable': {
    summary: 'Turn multi-factor on with a code',
    description: 'Every other session ends. The backup codes are shown only once.',
    body: mfaCodeValidator,
    answers: {
      200: {
        description: 'Turned on',
        schema: record({ mfaEnabled: { type: 'boolean', example: true }, backupCodes }),
      },
    },
    refusals: [
      E_INVALID_CODE,
      E_MFA_ENABLED,
      E_NOT_FOUND,
      new E_TOO_MANY_REQUESTS().retryAfter(840),
    ],
  },
  'POST /auth/mfa/backup-codes': {
    summary: 'Replace the backup codes',
    description: `The earlier ones stop working. ${REAUTHENTICATION}`,
    ...reauthenticationBody,
    answers: { 200: { description: 'The new codes', schema: record({ backupCodes }) } },
    refusals: changeRefusals,
  },
  'POST /auth/mfa/disable': {
    summary: 'Turn multi-factor off',
    description: REAUTHENTICATION,
    ...reauthenticationBody,
    answers: {
      200: {
        description: 'Turned off',
        schema: record({ mfaEnabled: { type: 'boolean', example: false } }),
      },
    },
    refusals: changeRefusals,
  },
}
