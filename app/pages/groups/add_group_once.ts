import type { HttpContext } from '@adonisjs/core/http'
import { E_GROUP_EXISTS, E_GROUP_LIMIT } from '#groups/errors'
import { findGroup } from '#groups/group_rows'
import { createGroup, type NewGroup } from '#groups/groups'
import { actorOf } from '#http/request_source'
import { addOnce } from '#pages/forms/add_once'
import { filledForm } from '#pages/forms/form_token'

export function addGroupOnce(ctx: HttpContext, newGroup: NewGroup) {
  const id = filledForm(ctx, newGroup)?.id
  const add = () => createGroup({ ...newGroup, id }, actorOf(ctx))
  return addOnce({ id, add, find: findGroup, refusals: [E_GROUP_EXISTS, E_GROUP_LIMIT] })
}
