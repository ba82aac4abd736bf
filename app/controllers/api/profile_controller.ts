import type { HttpContext } from '@adonisjs/core/http'
import { findUserRecord } from '#transformers/user_record_cache'
import type { PasswordAndCode } from '#auth/mfa/verify_code'
import { exportApplications } from '#oidc/grants/applications'
import { exportProfile } from '#users/export_profile'
import { deleteProfile, updateProfile } from '#users/profile'
import { E_UNAUTHORIZED } from '#auth/errors'
import { reauthenticationOf } from '#http/reauthentication'
import { profileValidator, reauthenticationValidator } from '#validators/auth'
import UserPolicy from '#policies/user_policy'
import { ownRecordFor } from '#http/own_record'
import { userRecord } from '#http/user_records'
import { bodyOf, bodyWithMetadata } from '#http/request_body'

export default class ProfileController {
  async show(ctx: HttpContext) {
    const { user, client } = ctx.auth.use('api').getUserOrFail()
    const found = await findUserRecord(user.id, user.version)
    if (!found) throw new E_UNAUTHORIZED()
    const json = client ? await ownRecordFor(client, found) : found.json
    return ctx.response.header('content-type', 'application/json; charset=utf-8').send(json)
  }

  async update(ctx: HttpContext) {
    const body = await bodyWithMetadata(ctx, profileValidator)
    const { currentPassword, code, ...changes } = body
    const caller = reauthenticationOf(ctx, { currentPassword, code })
    const isAdmin = await ctx.bouncer.with(UserPolicy).allows('administer')
    return userRecord(ctx, await updateProfile(caller, changes, { isAdmin }))
  }

  /** A GET has no body for credentials, so the authentication must be recent. */
  export(ctx: HttpContext) {
    return this.#export(ctx, {})
  }

  async exportReauthenticated(ctx: HttpContext) {
    return this.#export(ctx, await bodyOf(ctx, reauthenticationValidator))
  }

  async #export(ctx: HttpContext, credentials: PasswordAndCode) {
    const stream = await exportProfile(reauthenticationOf(ctx, credentials), exportApplications)
    ctx.response.header('content-type', 'application/json; charset=utf-8').stream(stream)
  }

  async destroy(ctx: HttpContext) {
    await deleteProfile(reauthenticationOf(ctx, await bodyOf(ctx, reauthenticationValidator)))
    return { message: 'Account deleted' }
  }
}
