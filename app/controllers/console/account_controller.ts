import type { HttpContext } from '@adonisjs/core/http'
import { changePassword } from '#auth/accounts/credentials'
import { listSessions } from '#auth/sessions/registry'
import { endOwnSession } from '#auth/sessions/ending'
import { changePasswordValidator } from '#validators/auth'
import { consoleActor, goOn } from './caller.ts'
import { EMPTY_FORM, submit, type Form } from './forms.ts'
import { passwordHint } from './password_hint.ts'

/** The administrator's own account: password, second factor and sessions. */
export default class AccountController {
  async show(ctx: HttpContext, form: Form = EMPTY_FORM) {
    const { user, session } = ctx.caller
    const sessions = await listSessions(user.id)
    return ctx.view.render('console/account', {
      user,
      form,
      sessions,
      ownSessionId: session.id,
      passwordHint,
    })
  }

  async updatePassword(ctx: HttpContext) {
    const { user, session } = ctx.caller
    const identity = { userId: user.id, sessionId: session.id, actor: consoleActor(ctx) }
    const outcome = await submit(ctx, {
      validator: changePasswordValidator,
      fields: { E_INCORRECT_PASSWORD: 'currentPassword', E_SAME_PASSWORD: 'newPassword' },
      perform: (passwords) => changePassword({ ...passwords, ...identity }),
      again: (form) => this.show(ctx, form),
    })
    if (!outcome.isDone) return outcome.page
    return goOn(ctx, '/admin/account', 'The password was changed; other sessions have ended.')
  }

  async endSession(ctx: HttpContext) {
    const { user } = ctx.caller
    await endOwnSession(user.id, ctx.params.sessionId, consoleActor(ctx))
    return goOn(ctx, '/admin/account', 'The session was ended.')
  }
}
