import type { HttpContext } from '@adonisjs/core/http'
import User from '#models/user'
import { addUser } from '#users/add_user'
import { addServiceAccount, type NewServiceAccount } from '#users/service_accounts'
import { E_EMAIL_TAKEN } from '#users/errors'
import type { NewUser } from '#users/insert_user'
import { addOnce } from '#pages/forms/add_once'
import { filledForm } from '#pages/forms/form_token'
import { actorOf } from '#http/request_source'

const EARLIER_USER = { find: (id: string) => User.find(id), refusals: [E_EMAIL_TAKEN] }

export function addUserOnce(ctx: HttpContext, newUser: NewUser) {
  const id = filledForm(ctx, newUser)?.id
  return addOnce({ ...EARLIER_USER, id, add: () => addUser({ ...newUser, id }, actorOf(ctx)) })
}

export function addServiceAccountOnce(ctx: HttpContext, account: NewServiceAccount) {
  const id = filledForm(ctx, account)?.id
  return addOnce({
    ...EARLIER_USER,
    id,
    add: () => addServiceAccount({ ...account, id }, actorOf(ctx)),
  })
}
