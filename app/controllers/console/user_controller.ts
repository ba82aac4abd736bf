import type { HttpContext } from '@adonisjs/core/http'
import type User from '#models/user'
import { deleteAccount, updateAccount } from '#auth/accounts/administration'
import { canonicalEmail } from '#auth/accounts/email'
import { updateUserValidator } from '#validators/console'
import { askToConfirm, isConfirmed } from './reauthentication.ts'
import { consoleActor, goOn } from './caller.ts'
import { nothing, submit } from './forms.ts'
import { findUser, renderUser } from './user_page.ts'

/**
 * Whoever receives an account's mails can set its password, and an address that counts as
 * verified lets an external provider in: these matter as much as a role.
 */
function isGrave({ request }: HttpContext, user: User) {
  const { role = user.role, email = user.email, emailVerified } = request.body()
  const address = canonicalEmail(String(email)) ?? user.email
  const isVouchedFor = Boolean(emailVerified) && !user.isEmailVerified
  return role !== user.role || address !== user.email || isVouchedFor
}

/** One user: looking, editing and deleting. */
export default class UserController {
  show(ctx: HttpContext) {
    return renderUser(ctx)
  }

  async update(ctx: HttpContext) {
    const user = await findUser(ctx)
    if (isGrave(ctx, user) && !isConfirmed(ctx)) return askToConfirm(ctx)
    const outcome = await submit(ctx, {
      validator: updateUserValidator,
      fields: { E_EMAIL_TAKEN: 'email', E_LAST_ADMIN: 'role' },
      perform: (changes) => updateAccount(user.id, changes, consoleActor(ctx)),
      again: (form) => renderUser(ctx, { form }),
    })
    return outcome.isDone
      ? goOn(ctx, `/admin/users/${user.id}`, 'The changes were saved.')
      : outcome.page
  }

  async delete(ctx: HttpContext) {
    return ctx.view.render('console/users/delete', { user: await findUser(ctx) })
  }

  async destroy(ctx: HttpContext) {
    const user = await findUser(ctx)
    if (!isConfirmed(ctx)) return askToConfirm(ctx)
    const outcome = await submit(ctx, {
      validator: nothing,
      perform: () => deleteAccount(user.id, consoleActor(ctx)),
      again: ({ errors }) => renderUser(ctx, { problem: errors.form[0] }),
    })
    return outcome.isDone ? goOn(ctx, '/admin/users', `${user.email} was deleted.`) : outcome.page
  }
}
