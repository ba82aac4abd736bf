import type { HttpContext } from '@adonisjs/core/http'
import User from '#models/user'
import { addUser } from '#users/add_user'
import { E_EMAIL_TAKEN } from '#users/errors'
import type { NewUser } from '#users/insert_user'
import { idOfForm } from './form_token.ts'
import { actorOf } from '#http/request_origin'

/** Creates the user of a form; the second submit of one form returns the user of the first. */
export async function addUserOnce(ctx: HttpContext, newUser: NewUser) {
  const id = idOfForm(ctx)
  try {
    return await addUser({ ...newUser, id }, actorOf(ctx))
  } catch (error) {
    const earlier = id && error instanceof E_EMAIL_TAKEN ? await User.find(id) : null
    if (!earlier) throw error
    return earlier
  }
}
