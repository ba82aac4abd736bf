import { createKey } from '#auth/api_keys/create_key'
import { revokeKey } from '#auth/api_keys/revoke_keys'
import { createKeyFormValidator } from '#validators/admin'
import { askToConfirm, isConfirmed } from '#pages/reauthentication'
import { redirectWithNotice } from '#pages/redirect'
import { idOfForm } from '#pages/form_token'
import { submit } from '#pages/forms'
import { renderAccount } from '#pages/account_page'
import { renderUser } from '#pages/user_page'
import { actorOf } from '#http/request_origin'
import { getTargetUserOrFail } from '#http/target_user'
import type { HttpContext } from '@adonisjs/core/http'
import type User from '#models/user'

const DAY_MS = 86_400_000

/** The flash message, in the encrypted cookie, that takes a key to the page that shows it. */
const MADE = 'madeApiKey'

function isOwn({ auth }: HttpContext, { id }: User) {
  return auth.use('web').getUserOrFail().user.id === id
}

/** The page on which the keys of a user are: administrators have one for their own. */
function pageOf(ctx: HttpContext, user: User) {
  return isOwn(ctx, user) ? '/admin/account' : `/admin/users/${user.id}`
}

/** API keys of a user, the administrator's own included. */
export default class ApiKeysController {
  async store(ctx: HttpContext) {
    const user = await getTargetUserOrFail(ctx)
    if (!isConfirmed(ctx)) return askToConfirm(ctx, `Make an API key of ${user.label}.`)
    const outcome = await submit(ctx, {
      validator: createKeyFormValidator,
      fields: { E_SCOPE: 'scopes' },
      perform: ({ days, ...given }) => {
        const newKey = { ...given, expiresAt: Date.now() + days * DAY_MS, formId: idOfForm(ctx) }
        return createKey(user.id, newKey, actorOf(ctx))
      },
      again: (key) => (isOwn(ctx, user) ? renderAccount(ctx, { key }) : renderUser(ctx, { key })),
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
    if (isOwn(ctx, user) && !isConfirmed(ctx))
      return askToConfirm(ctx, 'Revoke one of your API keys.')
    await revokeKey(user.id, ctx.params.keyId, actorOf(ctx))
    return redirectWithNotice(ctx, pageOf(ctx, user), 'The API key was revoked.')
  }
}
