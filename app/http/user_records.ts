import UserTransformer from '#transformers/user_transformer'
import { markHandlesReceived } from '#users/handles/mark_received'
import type { HttpContext } from '@adonisjs/core/http'
import type User from '#models/user'

/* Records for a response. An application that receives a handle may name an account by it. */

function markReceived({ auth }: HttpContext, users: User[]) {
  return auth.use('api').user?.client ? markHandlesReceived(users) : users
}

export async function userRecord(ctx: HttpContext, user: User) {
  const [received] = await markReceived(ctx, [user])
  return new UserTransformer(received).single(ctx.auth.use('api').getUserOrFail())
}

export async function adminRecord(ctx: HttpContext, user: User) {
  const [received] = await markReceived(ctx, [user])
  return new UserTransformer(received).singleForAdmins(ctx.auth.use('api').getUserOrFail())
}

export async function adminRecords(ctx: HttpContext, users: User[]) {
  const received = await markReceived(ctx, users)
  return received.map((user) => new UserTransformer(user).forAdmins())
}
