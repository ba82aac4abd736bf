import type { HttpContext } from '@adonisjs/core/http'
import { revokeKey, rotateKeys } from '#auth/signing_keys/rotation'
import { keysPage } from '#pages/keys_page'
import { redirectWithNotice } from '#pages/redirect'
import { EMPTY_FORM, noFields, submit, type Form } from '#pages/forms/forms'
import { actorOf } from '#http/request_source'

export default class KeysController {
  index(ctx: HttpContext) {
    return renderKeys(ctx)
  }

  askToRotate({ view }: HttpContext) {
    return view.render('admin/keys/rotate', { what: 'rotate', action: '/admin/keys/rotate' })
  }

  askToRotateNow({ view }: HttpContext) {
    const action = '/admin/keys/rotate-now'
    return view.render('admin/keys/rotate', { what: 'rotate_now', action })
  }

  rotate(ctx: HttpContext) {
    const rotate = () => rotateKeys(actorOf(ctx))
    return changeKeys(ctx, rotate, 'rotate')
  }

  rotateNow(ctx: HttpContext) {
    const rotate = () => rotateKeys(actorOf(ctx), { isImmediate: true })
    return changeKeys(ctx, rotate, 'rotate_now')
  }

  revoke(ctx: HttpContext) {
    const revoke = () => revokeKey(ctx.params.kid, actorOf(ctx))
    return changeKeys(ctx, revoke, 'revoke')
  }
}

async function changeKeys(
  ctx: HttpContext,
  change: () => Promise<unknown>,
  name: 'rotate' | 'rotate_now' | 'revoke'
) {
  const outcome = await submit(ctx, {
    validator: noFields,
    action: change,
    onError: (form) => renderKeys(ctx, form),
  })
  if (!outcome.ok) return outcome.page
  return redirectWithNotice(ctx, '/admin/keys', ctx.i18n.t(`console.keys.notice.${name}`))
}

async function renderKeys({ view, i18n }: HttpContext, form: Form = EMPTY_FORM) {
  return view.render('admin/keys', { ...(await keysPage(i18n)), form })
}
