import type { HttpContext } from '@adonisjs/core/http'
import { E_GROUP_EXISTS, E_GROUP_LIMIT } from '#groups/errors'
import { findGroup } from '#groups/group_rows'
import { createGroup, type NewGroup } from '#groups/groups'
import { actorOf } from '#http/request_source'
import { filledForm } from '#pages/forms/form_token'

/** The second submit of a form returns the group of the first. */
export async function addGroupOnce(ctx: HttpContext, newGroup: NewGroup) {
  const id = filledForm(ctx, newGroup)?.id
  try {
    return await createGroup({ ...newGroup, id }, actorOf(ctx))
  } catch (error) {
    const isRepeatable = error instanceof E_GROUP_EXISTS || error instanceof E_GROUP_LIMIT
    const earlier = id && isRepeatable ? await findGroup(id) : null
    if (!earlier) throw error
    return earlier
  }
}
