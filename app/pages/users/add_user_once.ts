import type { HttpContext } from '@adonisjs/core/http'
import User from '#models/user'
import { addUser } from '#users/add_user'
import { addServiceAccount, type NewServiceAccount } from '#users/service_accounts'
import { E_EMAIL_TAKEN } from '#users/errors'
import type { NewUser } from '#users/insert_user'
import { filledForm } from '#pages/forms/form_token'
import { actorOf } from '#http/request_source'

export function addUserOnce(ctx: HttpContext, newUser: NewUser) {
  const formId = filledForm(ctx, newUser)?.id
  return addOnce(formId, (id) => addUser({ ...newUser, id }, actorOf(ctx)))
}

export function addServiceAccountOnce(ctx: HttpContext, account: NewServiceAccount) {
  const formId = filledForm(ctx, account)?.id
  return addOnce(formId, (id) => addServiceAccount({ ...account, id }, actorOf(ctx)))
}

/** The second submit of a form returns the user of the first. */
async function addOnce(id: string | undefined, add: (id?: string) => Promise<User>) {
  try {
    return await add(id)
  } catch (error) {
    const earlier = id && error instanceof E_EMAIL_TAKEN ? await User.find(id) : null
    if (!earlier) throw error
    return earlier
  }
}
