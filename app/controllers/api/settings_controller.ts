import type { HttpContext } from '@adonisjs/core/http'
import limits from '#config/limits'
import { ifMatchOf } from '#http/if_match'
import { reauthenticatedActorOf } from '#http/reauthentication'
import { actorOf } from '#http/request_source'
import { uploadedForm } from '#http/uploaded_file'
import { assertLogoIsWritable, changeBrandLogo } from '#settings/brand_logo'
import { changeSettings } from '#settings/change_settings'
import { listSettings } from '#settings/list_settings'
import { assertUnlocked, readChanges } from '#settings/read_changes'
import { withUploadSlot } from '#users/avatars/upload_slots'
import { invalidPicture } from '#users/errors'
import { reauthenticationValidator } from '#validators/auth'

export default class SettingsController {
  async index(ctx: HttpContext) {
    return this.#answer(ctx)
  }

  /** Checks the values before the password: a wrong value must not use up a password attempt. */
  async update(ctx: HttpContext) {
    const { currentPassword, code, ...changes } = ctx.request.body()
    const credentials = await reauthenticationValidator.validate({ currentPassword, code })
    assertUnlocked(actorOf(ctx))
    readChanges(changes)
    const ifMatch = ifMatchOf(ctx)
    const actor = await reauthenticatedActorOf(ctx, credentials)
    await changeSettings(changes, { actor, ifMatch })
    return this.#answer(ctx)
  }

  async storeLogo(ctx: HttpContext) {
    const { user } = ctx.auth.use('api').getUserOrFail()
    assertLogoIsWritable(actorOf(ctx))
    const ifMatch = ifMatchOf(ctx)
    await withUploadSlot(user.id, async () => {
      const { file, fields } = await uploadedForm(ctx, 'file', limits.brandLogoBytes)
      await ctx.auth.use('api').authenticateAgain()
      const credentials = await reauthenticationValidator.validate(fields)
      const actor = await reauthenticatedActorOf(ctx, credentials)
      if (!file) throw invalidPicture()
      await changeBrandLogo(file, { actor, ifMatch })
    })
    return this.#answer(ctx)
  }

  async #answer({ response }: HttpContext) {
    const { settings, etag } = await listSettings()
    response.header('etag', etag)
    return settings
  }
}
