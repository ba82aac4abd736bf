import type { HttpContext } from '@adonisjs/core/http'
import { disableMfa } from '#auth/mfa/disable'
import { beginEnrolment, confirmEnrolment } from '#auth/mfa/enrolment'
import { renewBackupCodes } from '#auth/mfa/renew_backup_codes'
import { verifyMfaChallenge } from '#auth/sign_in/verify_mfa_challenge'
import { reauthenticationOf } from '#http/reauthentication'
import { deviceOf } from '#http/request_source'
import { reauthenticationValidator } from '#validators/auth'
import { secondStepValidator, mfaCodeValidator } from '#validators/mfa'
import { assertPasskeySize } from '#http/passkey_form'
import { bodyOf } from '#http/request_body'
import { signInResponse } from '#http/sign_in_response'

async function reauthenticating(ctx: HttpContext) {
  return reauthenticationOf(ctx, await bodyOf(ctx, reauthenticationValidator))
}

export default class MfaController {
  async verify(ctx: HttpContext) {
    assertPasskeySize(ctx, 'passkey')
    const step = await bodyOf(ctx, secondStepValidator)
    return signInResponse(ctx, await verifyMfaChallenge({ ...step, device: deviceOf(ctx) }))
  }

  async setup(ctx: HttpContext) {
    return beginEnrolment(await reauthenticating(ctx))
  }

  async enable(ctx: HttpContext) {
    const confirmation = await bodyOf(ctx, mfaCodeValidator)
    const backupCodes = await confirmEnrolment(reauthenticationOf(ctx, {}), confirmation)
    return { mfaEnabled: true, backupCodes }
  }

  async renewBackupCodes(ctx: HttpContext) {
    return { backupCodes: await renewBackupCodes(await reauthenticating(ctx)) }
  }

  async disable(ctx: HttpContext) {
    await disableMfa(await reauthenticating(ctx))
    return { mfaEnabled: false }
  }
}
