import { validate as isUuid } from 'uuid'
import type { HttpContext } from '@adonisjs/core/http'
import limits from '#config/limits'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { getGroupOrFail } from '#groups/group_rows'
import { listMembers } from '#groups/list_members'
import { addMember, removeMember } from '#groups/members'
import { linkNext } from '#http/link_next'
import { reauthenticatedActorOf } from '#http/reauthentication'
import { bodyOf, queryOf } from '#http/request_body'
import { reauthenticationValidator } from '#validators/auth'
import { listMembersValidator } from '#validators/groups'

export default class GroupMembersController {
  async index(ctx: HttpContext) {
    const { cursor, limit = limits.groupPage } = await queryOf(ctx, listMembersValidator)
    const { id } = await getGroupOrFail(ctx.params.id)
    const { members, next } = await listMembers(id, { cursor, limit })
    if (next) linkNext(ctx, { cursor: next, limit: String(limit) })
    return members
  }

  async update(ctx: HttpContext) {
    await addMember(userIdOf(ctx), ctx.params.id, await actorFor(ctx))
    return ctx.response.noContent()
  }

  async destroy(ctx: HttpContext) {
    await removeMember(userIdOf(ctx), ctx.params.id, await actorFor(ctx))
    return ctx.response.noContent()
  }
}

async function actorFor(ctx: HttpContext) {
  return reauthenticatedActorOf(ctx, await bodyOf(ctx, reauthenticationValidator))
}

function userIdOf({ params }: HttpContext): string {
  if (!isUuid(params.userId)) throw new E_NOT_FOUND()
  return params.userId
}
