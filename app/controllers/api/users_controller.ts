import { validate as isUuid } from 'uuid'
import User, { ADMIN_ROLE } from '#models/user'
import { E_FORBIDDEN, E_NOT_FOUND } from '#exceptions/http_errors'
import { listUsers, listUsersByCursor } from '#users/list/list_users'
import { parseCursorOrFail } from '#users/list/cursor'
import { parseSort } from '#users/list/order'
import { selectUsers } from '#users/list/filter'
import { addUser } from '#users/add_user'
import { deleteUser } from '#users/delete_user'
import { updateUser } from '#users/update_user'
import { updateProfile } from '#users/profile'
import { changePassword } from '#users/change_password'
import { actorOf } from '#http/request_origin'
import { changePasswordValidator } from '#validators/auth'
import {
  createUserValidator,
  listUsersAfterValidator,
  listUsersValidator,
  updateOwnUserValidator,
  updateUserValidator,
} from '#validators/users'
import UserTransformer from '#transformers/user_transformer'
import { bodyOf } from '#http/request_body'
import { queryOf } from '#http/request_query'
import type { HttpContext } from '@adonisjs/core/http'

const record = (user: User) => new UserTransformer(user).toObject()

/** The caller, when they may act on this user: their own, or anybody's for an administrator. */
export function allowSelfOrAdmin({ auth, params }: HttpContext) {
  const caller = auth.use('api').getUserOrFail()
  if (caller.role !== ADMIN_ROLE && caller.id !== params.id) throw new E_FORBIDDEN()
  return caller
}

/** The user that the path names. */
export async function targetUser({ params }: HttpContext) {
  const user = isUuid(params.id) ? await User.find(params.id) : null
  if (!user) throw new E_NOT_FOUND()
  return user
}

/** Users: for administrators all of them, for everybody else their own. */
export default class UsersController {
  async index(ctx: HttpContext) {
    const { page = 1, limit = 10, sort, ...filter } = await queryOf(ctx, listUsersValidator)
    const { users, total } = await listUsers(filter, { page, limit, ...parseSort(sort) })
    return { data: users.map(record), meta: { total, page, limit } }
  }

  /** Version 2. */
  async indexAfter(ctx: HttpContext) {
    const query = await queryOf(ctx, listUsersAfterValidator)
    const { cursor, limit = 10, sort, ...filter } = query
    const { order, isDescending } = parseSort(sort)
    const after = cursor ? parseCursorOrFail(cursor, order) : null
    const page = { order, isDescending, after, limit }
    const { users, nextCursor } = await listUsersByCursor(await selectUsers(filter), page)
    return { data: users.map(record), meta: { limit, nextCursor } }
  }

  async store(ctx: HttpContext) {
    const { invite, password, ...values } = await bodyOf(ctx, createUserValidator)
    const username = values.username ?? values.email.split('@')[0]
    const chosen = invite ? undefined : password
    const user = await addUser({ ...values, username, password: chosen }, actorOf(ctx))
    return ctx.response.created(record(user))
  }

  async show(ctx: HttpContext) {
    allowSelfOrAdmin(ctx)
    return record(await targetUser(ctx))
  }

  async update(ctx: HttpContext) {
    const caller = allowSelfOrAdmin(ctx)
    const user = await targetUser(ctx)
    return caller.role === ADMIN_ROLE ? this.#updateAny(ctx, user) : this.#updateOwn(ctx, user)
  }

  async #updateOwn(ctx: HttpContext, user: User) {
    const { role, ...changes } = await bodyOf(ctx, updateOwnUserValidator)
    if (role !== undefined && role !== user.role) throw new E_FORBIDDEN()
    return record(await updateProfile(user.id, changes, actorOf(ctx)))
  }

  /** Administrators prove their password, too, before their own address changes. */
  async #updateAny(ctx: HttpContext, user: User) {
    const { currentPassword, ...changes } = await bodyOf(ctx, updateUserValidator)
    const isSelf = ctx.auth.use('api').getUserOrFail().id === user.id
    const updated = isSelf
      ? await updateProfile(user.id, { ...changes, currentPassword }, actorOf(ctx))
      : await updateUser(user.id, changes, actorOf(ctx))
    return record(updated)
  }

  async destroy(ctx: HttpContext) {
    const { id } = await targetUser(ctx)
    await deleteUser(id, actorOf(ctx))
    return { message: 'User deleted' }
  }

  /** Only the owner knows the current password: administrators send a reset mail instead. */
  async changePassword(ctx: HttpContext) {
    const { id, sessionId } = ctx.auth.use('api').getUserOrFail()
    if (ctx.params.id !== id) throw new E_FORBIDDEN()
    const passwords = await bodyOf(ctx, changePasswordValidator)
    const change = { ...passwords, userId: id, sessionId, actor: actorOf(ctx) }
    const { endedSessions } = await changePassword(change)
    return { message: 'Password changed', endedSessions }
  }
}
