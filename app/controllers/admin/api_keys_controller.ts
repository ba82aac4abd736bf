import { createKey, revokeKey } from '#auth/api_keys/api_keys'
import { createKeyFormValidator } from '#validators/admin'
import { askToConfirm, isConfirmed } from '#pages/reauthentication'
import { redirectWithNotice } from '#pages/redirect'
import { submit } from '#pages/forms'
import { renderUser } from '#pages/user_page'
import { actorOf } from '#http/request_origin'
import { getTargetUserOrFail } from '#http/target_user'
import type { HttpContext } from '@adonisjs/core/http'
import type User from '#models/user'

const DAY_MS = 86_400_000

/** The flash message, in the encrypted cookie, that takes a key to the page that shows it. */
const MADE = 'madeApiKey'

/** The page on which the keys of a user are: administrators have one for their own. */
function pageOf({ auth }: HttpContext, { id }: User) {
  const isOwn = auth.use('web').getUserOrFail().user.id === id
  return isOwn ? '/admin/account' : `/admin/users/${id}`
}

/** API keys of a user, the administrator's own included. */
export default class ApiKeysController {
  async store(ctx: HttpContext) {
    const user = await getTargetUserOrFail(ctx)
    if (!isConfirmed(ctx)) return askToConfirm(ctx, `Make an API key of ${user.label}.`)
    const outcome = await submit(ctx, {
      validator: createKeyFormValidator,
      perform: ({ days, ...newKey }) =>
        createKey(user.id, { ...newKey, expiresAt: Date.now() + days * DAY_MS }, actorOf(ctx)),
      again: ({ errors }) => renderUser(ctx, { problem: Object.values(errors)[0][0] }),
    })
    if (!outcome.isDone) return outcome.page
    ctx.session.flash(MADE, { userId: user.id, ...outcome.result })
    return ctx.response.redirect().status(303).toPath(`/admin/users/${user.id}/api-keys`)
  }

  /** A page of its own, so that loading it again neither makes another key nor shows this one. */
  async show(ctx: HttpContext) {
    const user = await getTargetUserOrFail(ctx)
    const made = ctx.session.flashMessages.get(MADE)
    if (made?.userId !== user.id) {
      return redirectWithNotice(ctx, pageOf(ctx, user), 'The key was shown once only.')
    }
    const { record, key } = made
    return ctx.view.render('admin/users/api_key', { user, record, key, back: pageOf(ctx, user) })
  }

  async destroy(ctx: HttpContext) {
    const user = await getTargetUserOrFail(ctx)
    const isOwn = pageOf(ctx, user) === '/admin/account'
    if (isOwn && !isConfirmed(ctx)) return askToConfirm(ctx, 'Revoke one of your API keys.')
    await revokeKey(user.id, ctx.params.keyId, actorOf(ctx))
    return redirectWithNotice(ctx, pageOf(ctx, user), 'The API key was revoked.')
  }
}
