import type { HttpContext } from '@adonisjs/core/http'
import type { MfaCaller } from '#auth/mfa/caller'
import { disableMfa } from '#auth/mfa/disable'
import { beginEnrolment, confirmEnrolment } from '#auth/mfa/enrolment'
import { renewBackupCodes } from '#auth/mfa/renew_backup_codes'
import { verifyMfaChallenge } from '#auth/sign_in/sign_in'
import { actorOf, deviceOf } from '#http/request_origin'
import {
  bothFactorsValidator,
  currentPasswordValidator,
  mfaChallengeValidator,
  mfaCodeValidator,
} from '#validators/auth'
import { bodyOf } from '#http/request_body'
import { signInResponse } from '#http/sign_in_response'

function callerOf(ctx: HttpContext): MfaCaller {
  const { user, session } = ctx.auth.use('api').getUserOrFail()
  return { userId: user.id, sessionId: session.id, actor: actorOf(ctx) }
}

/** Multi-factor: the second step of a login, and the caller's own enrolment. */
export default class MfaController {
  async verify(ctx: HttpContext) {
    const step = await bodyOf(ctx, mfaChallengeValidator)
    return signInResponse(ctx, await verifyMfaChallenge({ ...step, device: deviceOf(ctx) }))
  }

  async setup(ctx: HttpContext) {
    const { currentPassword } = await bodyOf(ctx, currentPasswordValidator)
    return beginEnrolment(callerOf(ctx), currentPassword)
  }

  async enable(ctx: HttpContext) {
    const backupCodes = await confirmEnrolment(callerOf(ctx), await bodyOf(ctx, mfaCodeValidator))
    return { mfaEnabled: true, backupCodes }
  }

  async renewBackupCodes(ctx: HttpContext) {
    const proof = await bodyOf(ctx, bothFactorsValidator)
    return { backupCodes: await renewBackupCodes(callerOf(ctx), proof) }
  }

  async disable(ctx: HttpContext) {
    await disableMfa(callerOf(ctx), await bodyOf(ctx, bothFactorsValidator))
    return { mfaEnabled: false }
  }
}
