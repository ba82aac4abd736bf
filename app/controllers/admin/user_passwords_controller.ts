import { setPassword } from '#users/change_password'
import { generatePassword } from '#auth/passwords/generator'
import { redirectWithNotice } from '#pages/redirect'
import { getTargetUserOrFail } from '#http/target_user'
import { actorOf } from '#http/request_source'
import type { HttpContext } from '@adonisjs/core/http'

/** A flash message, in the encrypted cookie, takes the password to the page that shows it. */
const GENERATED = 'generatedPassword'

/** The user must change a generated password at the next sign-in. */
export default class UserPasswordsController {
  /** Only the next page shows the password, because the database has only its hash. */
  async store(ctx: HttpContext) {
    const user = await getTargetUserOrFail(ctx)
    const password = generatePassword()
    await setPassword(user, password, { actor: actorOf(ctx), mustChange: true })
    ctx.session.flash(GENERATED, { userId: user.id, password })
    return ctx.response.redirect().status(303).toPath(`/admin/users/${user.id}/password`)
  }

  /** A separate page, so that a reload neither makes another password nor shows this one again. */
  async show(ctx: HttpContext) {
    const user = await getTargetUserOrFail(ctx)
    const generated = ctx.session.flashMessages.get(GENERATED)
    if (generated?.userId === user.id) {
      return ctx.view.render('admin/users/password', { user, password: generated.password })
    }
    const notice = ctx.i18n.t('console.notice.password_once')
    return redirectWithNotice(ctx, `/admin/users/${user.id}`, notice)
  }
}
