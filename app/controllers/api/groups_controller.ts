import type { HttpContext } from '@adonisjs/core/http'
import limits from '#config/limits'
import { createGroup, deleteGroup, updateGroup } from '#groups/groups'
import { getGroupOrFail } from '#groups/group_rows'
import { listGroups } from '#groups/list_groups'
import { linkNext } from '#http/link_next'
import { reauthenticatedActorOf } from '#http/reauthentication'
import { bodyOf, queryOf } from '#http/request_body'
import { actorOf } from '#http/request_source'
import { reauthenticationValidator } from '#validators/auth'
import { createGroupValidator, listGroupsValidator, updateGroupValidator } from '#validators/groups'

export default class GroupsController {
  async index(ctx: HttpContext) {
    const { cursor, limit, search } = await queryOf(ctx, listGroupsValidator)
    const size = limit ?? (cursor ? limits.groupPage : limits.groupList)
    const { groups, next } = await listGroups({ cursor, search, limit: size })
    if (next) {
      const page = { cursor: next, limit: String(limit ?? limits.groupPage) }
      linkNext(ctx, search ? { ...page, search } : page)
    }
    return groups
  }

  async show({ params }: HttpContext) {
    return getGroupOrFail(params.id)
  }

  async store(ctx: HttpContext) {
    const given = await bodyOf(ctx, createGroupValidator)
    return ctx.response.created(await createGroup(given, actorOf(ctx)))
  }

  async update(ctx: HttpContext) {
    const { currentPassword, code, ...changes } = await bodyOf(ctx, updateGroupValidator)
    const actor = await reauthenticatedActorOf(ctx, { currentPassword, code })
    return updateGroup(ctx.params.id, changes, actor)
  }

  async destroy(ctx: HttpContext) {
    const body = await bodyOf(ctx, reauthenticationValidator)
    await deleteGroup(ctx.params.id, await reauthenticatedActorOf(ctx, body))
    return ctx.response.noContent()
  }
}
