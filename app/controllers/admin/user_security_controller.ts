import { sendPasswordReset } from '#users/password_recovery'
import { setPassword } from '#users/change_password'
import { lockUser, unlockUser } from '#users/lock_user'
import { disableUser, enableUser } from '#users/disable_user'
import { removePasskey } from '#auth/passkeys/manage_passkeys'
import { resetMfa } from '#users/reset_mfa'
import { unlinkProvider } from '#users/unlink_identity'
import { withdrawDeviceAs } from '#auth/devices/withdraw'
import { generatePassword } from '#auth/passwords/generator'
import { endAllSessionsAs, endSessionAs } from '#auth/sessions/end_session'
import { revokeConsent } from '#oidc/grants/end_grants'
import { disableValidator, lockValidator } from '#validators/admin'
import { askToConfirm, isConfirmed, mustConfirm } from '#pages/reauthentication/reauthentication'
import { redirectWithNotice } from '#pages/redirect'
import { inputOf } from '#pages/forms/forms'
import { changeUser, mailNotice } from '#pages/users/user_page'
import { actorOf } from '#http/request_source'
import { getTargetUserOrFail } from '#http/target_user'
import type { HttpContext } from '@adonisjs/core/http'
import type User from '#models/user'

/** What was done, as its notice is called in the language files. */
type Done =
  | 'locked'
  | 'unlocked'
  | 'disabled'
  | 'enabled'
  | 'mfa_reset'
  | 'unlinked'
  | 'passkey_removed'
  | 'device_withdrawn'
  | 'application_withdrawn'
  | 'session_ended'
  | 'sessions_ended'

/** The flash message, in the encrypted cookie, that takes a password to the page that shows it. */
const GENERATED = 'generatedPassword'

/** Access of a user: lock, disabling, password, second factor, identities and sessions. */
export default class UserSecurityController {
  async lock(ctx: HttpContext) {
    const target = await getTargetUserOrFail(ctx)
    if (mustConfirm(ctx, target))
      return askToConfirm(ctx, ctx.i18n.t('console.confirm.lock', { user: target.email }))
    const { minutes } = await lockValidator.validate(inputOf(ctx))
    const until = Date.now() + minutes * 60_000
    return this.#change(ctx, (user) => lockUser(user.id, until, actorOf(ctx)), 'locked')
  }

  async unlock(ctx: HttpContext) {
    const target = await getTargetUserOrFail(ctx)
    if (mustConfirm(ctx, target))
      return askToConfirm(ctx, ctx.i18n.t('console.confirm.unlock', { user: target.email }))
    return this.#change(ctx, (user) => unlockUser(user.id, actorOf(ctx)), 'unlocked')
  }

  async disable(ctx: HttpContext) {
    const target = await getTargetUserOrFail(ctx)
    if (mustConfirm(ctx, target))
      return askToConfirm(ctx, ctx.i18n.t('console.confirm.disable', { user: target.label }))
    const { reason } = await disableValidator.validate(inputOf(ctx))
    const disable = (user: User) => disableUser(user.id, { reason }, actorOf(ctx))
    return this.#change(ctx, disable, 'disabled')
  }

  async enable(ctx: HttpContext) {
    const target = await getTargetUserOrFail(ctx)
    if (mustConfirm(ctx, target))
      return askToConfirm(ctx, ctx.i18n.t('console.confirm.enable', { user: target.label }))
    const enable = (user: User) => enableUser(user.id, actorOf(ctx))
    return this.#change(ctx, enable, 'enabled')
  }

  async mailReset(ctx: HttpContext) {
    const user = await getTargetUserOrFail(ctx)
    if (mustConfirm(ctx, user)) {
      return askToConfirm(ctx, ctx.i18n.t('console.confirm.mail_reset', { user: user.email }))
    }
    const request = () => sendPasswordReset(user, actorOf(ctx))
    const notice = ctx.i18n.t('console.notice.mail_reset', { user: user.email })
    return changeUser(ctx, request, mailNotice(notice))
  }

  /** The page that follows is the only place that shows the password: the database has its hash. */
  async generate(ctx: HttpContext) {
    const user = await getTargetUserOrFail(ctx)
    if (!isConfirmed(ctx)) {
      return askToConfirm(ctx, ctx.i18n.t('console.confirm.generate', { user: user.email }))
    }
    const password = generatePassword()
    await setPassword(user, password, { actor: actorOf(ctx), mustChange: true })
    ctx.session.flash(GENERATED, { userId: user.id, password })
    return ctx.response.redirect().status(303).toPath(`/admin/users/${user.id}/password`)
  }

  /** A page of its own, so that loading it again neither makes another password nor shows this one. */
  async showGenerated(ctx: HttpContext) {
    const user = await getTargetUserOrFail(ctx)
    const generated = ctx.session.flashMessages.get(GENERATED)
    if (generated?.userId === user.id) {
      return ctx.view.render('admin/users/password', { user, password: generated.password })
    }
    return redirectWithNotice(
      ctx,
      `/admin/users/${user.id}`,
      ctx.i18n.t('console.notice.password_once')
    )
  }

  async resetMfa(ctx: HttpContext) {
    if (!isConfirmed(ctx)) {
      const { email } = await getTargetUserOrFail(ctx)
      return askToConfirm(ctx, ctx.i18n.t('console.confirm.mfa_reset', { user: email }))
    }
    const reset = (user: User) => resetMfa(user.id, actorOf(ctx))
    return this.#change(ctx, reset, 'mfa_reset')
  }

  async unlink(ctx: HttpContext) {
    const { provider } = ctx.params
    const target = await getTargetUserOrFail(ctx)
    if (mustConfirm(ctx, target)) {
      return askToConfirm(
        ctx,
        ctx.i18n.t('console.confirm.unlink', { provider, user: target.email })
      )
    }
    const unlink = (user: User) => unlinkProvider(user.id, { provider }, actorOf(ctx))
    return this.#change(ctx, unlink, 'unlinked')
  }

  async removePasskey(ctx: HttpContext) {
    const { passkeyId: id } = ctx.params
    const target = await getTargetUserOrFail(ctx)
    if (mustConfirm(ctx, target))
      return askToConfirm(ctx, ctx.i18n.t('console.confirm.passkey', { user: target.email }))
    const remove = (user: User) => removePasskey(user.id, { id }, actorOf(ctx))
    return this.#change(ctx, remove, 'passkey_removed')
  }

  async withdrawDevice(ctx: HttpContext) {
    const { deviceId } = ctx.params
    const withdraw = (user: User) => withdrawDeviceAs(user.id, deviceId, actorOf(ctx))
    return this.#change(ctx, withdraw, 'device_withdrawn')
  }

  async withdrawApplication(ctx: HttpContext) {
    const clientId = String(ctx.request.body().client_id)
    const withdraw = ({ id: userId }: User) => revokeConsent({ userId, clientId }, actorOf(ctx))
    return this.#change(ctx, withdraw, 'application_withdrawn')
  }

  async endSession(ctx: HttpContext) {
    const end = (user: User) => endSessionAs(user.id, ctx.params.sessionId, actorOf(ctx))
    return this.#change(ctx, end, 'session_ended')
  }

  async endSessions(ctx: HttpContext) {
    const end = (user: User) => endAllSessionsAs(user.id, actorOf(ctx))
    return this.#change(ctx, end, 'sessions_ended')
  }

  async #change(ctx: HttpContext, act: (user: User) => Promise<unknown>, done: Done) {
    const user = await getTargetUserOrFail(ctx)
    const values = { user: user.username, provider: ctx.params.provider ?? '' }
    return changeUser(ctx, () => act(user), ctx.i18n.t(`console.done.${done}`, values))
  }
}
