import { listFirstUsers, listUsersByCursor } from '#users/list/list_users'
import { parseCursorOrFail } from '#users/list/cursor'
import { parseSort } from '#users/list/order'
import { selectUsers } from '#users/list/filter'
import { addServiceAccount } from '#users/service_accounts'
import { addUser } from '#users/add_user'
import { deleteUser } from '#users/delete_user'
import { editUser } from '#users/edit_user'
import { assertKeepsKind, assertNoAppMetadata } from '#users/fixed_fields'
import { updateProfile } from '#users/profile'
import { changePassword } from '#users/change_password'
import { reauthenticatedActorOf, reauthenticationOf } from '#http/reauthentication'
import { changePasswordValidator, reauthenticationValidator } from '#validators/auth'
import {
  createServiceAccountValidator,
  createUserValidator,
  listUsersAfterValidator,
  listUsersValidator,
  updateOwnUserValidator,
  updateServiceAccountValidator,
  updateUserValidator,
} from '#validators/users'
import UserPolicy from '#policies/user_policy'
import { getTargetUserOrFail } from '#http/target_user'
import { assertScope } from '#http/granted_scopes'
import { bodyOf, bodyWithMetadata, queryOf } from '#http/request_body'
import { actorOf } from '#http/request_source'
import { adminRecord, adminRecords, userRecord } from '#http/user_records'
import type { HttpContext } from '@adonisjs/core/http'
import type { Infer } from '@vinejs/vine/types'
import type User from '#models/user'

type UserUpdate = Infer<typeof updateUserValidator>

export default class UsersController {
  async index(ctx: HttpContext) {
    assertMayFilter(ctx)
    const { page = 1, limit = 10, sort, ...filter } = await queryOf(ctx, listUsersValidator)
    const { users, total } = await listFirstUsers(filter, { page, limit, ...parseSort(sort) })
    return { data: await adminRecords(ctx, users), meta: { total, page, limit } }
  }

  /** Version 2 of the API, which pages by cursor. */
  async indexAfter(ctx: HttpContext) {
    assertMayFilter(ctx)
    const query = await queryOf(ctx, listUsersAfterValidator)
    const { cursor, limit = 10, sort, ...filter } = query
    const { order, isDescending } = parseSort(sort)
    const after = cursor ? parseCursorOrFail(cursor, order) : null
    const page = { order, isDescending, after, limit }
    const { users, nextCursor } = await listUsersByCursor(await selectUsers(filter), page)
    return { data: await adminRecords(ctx, users), meta: { limit, nextCursor } }
  }

  async store(ctx: HttpContext) {
    const { kind, appMetadata } = ctx.request.body()
    assertNoAppMetadata(appMetadata, actorOf(ctx))
    const isService = kind === 'service'
    const user = isService ? await this.#storeService(ctx) : await this.#storePerson(ctx)
    return ctx.response.created(await adminRecord(ctx, user))
  }

  async #storeService(ctx: HttpContext) {
    const body = await bodyOf(ctx, createServiceAccountValidator)
    const { currentPassword, code, ...account } = body
    return addServiceAccount(account, await reauthenticatedActorOf(ctx, { currentPassword, code }))
  }

  async #storePerson(ctx: HttpContext) {
    const body = await bodyOf(ctx, createUserValidator)
    const { invite, password, currentPassword, code, ...values } = body
    const username = values.username ?? values.email.split('@')[0]
    const chosen = invite ? undefined : password
    const actor = await reauthenticatedActorOf(ctx, { currentPassword, code })
    return addUser({ ...values, username, password: chosen }, actor)
  }

  async show(ctx: HttpContext) {
    const policy = ctx.bouncer.with(UserPolicy)
    await policy.authorize('view', ctx.params.id)
    const user = await getTargetUserOrFail(ctx)
    return (await policy.allows('administer')) ? adminRecord(ctx, user) : userRecord(ctx, user)
  }

  async update(ctx: HttpContext) {
    const policy = ctx.bouncer.with(UserPolicy)
    await policy.authorize('update', ctx.params.id)
    const user = await getTargetUserOrFail(ctx)
    const isAdmin = await policy.allows('administer')
    return isAdmin ? this.#updateAny(ctx, user) : this.#updateOwn(ctx, user)
  }

  async #updateOwn(ctx: HttpContext, user: User) {
    const body = await bodyWithMetadata(ctx, updateOwnUserValidator)
    const { role, currentPassword, code, ...changes } = body
    const changesRole = role !== undefined && role !== user.role
    if (changesRole) await ctx.bouncer.with(UserPolicy).authorize('changeRole')
    const caller = reauthenticationOf(ctx, { currentPassword, code })
    return userRecord(ctx, await updateProfile(caller, changes))
  }

  /** Administrators also reauthenticate to change their own address. */
  async #updateAny(ctx: HttpContext, user: User) {
    assertKeepsKind(user, ctx.request.body().kind, actorOf(ctx))
    const body: UserUpdate = user.isService
      ? await bodyWithMetadata(ctx, updateServiceAccountValidator)
      : await bodyWithMetadata(ctx, updateUserValidator)
    const { currentPassword, code, pendingEmail, ...changes } = body
    const caller = reauthenticationOf(ctx, { currentPassword, code })
    const updated =
      caller.userId === user.id
        ? await updateProfile(caller, { ...changes, pendingEmail }, { isAdmin: true })
        : await editUser(user.id, changes, await reauthenticatedActorOf(ctx, caller.credentials))
    return adminRecord(ctx, updated)
  }

  async destroy(ctx: HttpContext) {
    const { id } = await getTargetUserOrFail(ctx)
    await deleteUser(
      id,
      await reauthenticatedActorOf(ctx, await bodyOf(ctx, reauthenticationValidator))
    )
    return { message: 'User deleted' }
  }

  async changePassword(ctx: HttpContext) {
    await ctx.bouncer.with(UserPolicy).authorize('changePassword', ctx.params.id)
    const { newPassword, ...credentials } = await bodyOf(ctx, changePasswordValidator)
    const { endedSessions } = await changePassword(
      reauthenticationOf(ctx, credentials),
      newPassword
    )
    return { message: 'Password changed', endedSessions }
  }
}

/** The filter tells the members of a group, and whether the group exists. */
function assertMayFilter(ctx: HttpContext) {
  if (ctx.request.qs().group !== undefined) assertScope(ctx, 'groups:read')
}
