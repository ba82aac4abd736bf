import type { HttpContext } from '@adonisjs/core/http'
import { findUserRecord } from '#transformers/user_record_cache'
import type { Proof } from '#auth/mfa/verify_proof'
import { exportApplications } from '#oidc/grants/applications'
import { exportProfile } from '#users/export_profile'
import { deleteProfile, updateProfile } from '#users/profile'
import { E_UNAUTHORIZED } from '#auth/errors'
import { provingCallerOf } from '#http/proving_caller'
import { profileValidator, proofValidator } from '#validators/auth'
import UserTransformer from '#transformers/user_transformer'
import { bodyOf } from '#http/request_body'

export default class ProfileController {
  async show({ auth, response }: HttpContext) {
    const { user } = auth.use('api').getUserOrFail()
    const found = await findUserRecord(user.id, user.version)
    if (!found) throw new E_UNAUTHORIZED()
    return response.header('content-type', 'application/json; charset=utf-8').send(found.json)
  }

  async update(ctx: HttpContext) {
    const { currentPassword, code, ...changes } = await bodyOf(ctx, profileValidator)
    const caller = provingCallerOf(ctx, { currentPassword, code })
    const updated = await updateProfile(caller, changes)
    return new UserTransformer(updated).toObject()
  }

  /** A GET has no body, so only a recent session is a proof. */
  export(ctx: HttpContext) {
    return this.#export(ctx, {})
  }

  async exportProven(ctx: HttpContext) {
    return this.#export(ctx, await bodyOf(ctx, proofValidator))
  }

  async #export(ctx: HttpContext, proof: Proof) {
    const stream = await exportProfile(provingCallerOf(ctx, proof), exportApplications)
    ctx.response.header('content-type', 'application/json; charset=utf-8').stream(stream)
  }

  async destroy(ctx: HttpContext) {
    await deleteProfile(provingCallerOf(ctx, await bodyOf(ctx, proofValidator)))
    return { message: 'Account deleted' }
  }
}
