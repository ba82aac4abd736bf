import type { HttpContext } from '@adonisjs/core/http'
import User from '#models/user'
import { E_UNAUTHORIZED } from '#auth/errors'
import { setGroupsOf } from '#groups/members'
import { groupNamesOf, groupsOf } from '#groups/names_of'
import { reauthenticatedActorOf } from '#http/reauthentication'
import { bodyOf } from '#http/request_body'
import { getTargetUserOrFail } from '#http/target_user'
import { userGroupsValidator } from '#validators/groups'

export default class UserGroupsController {
  async own({ auth }: HttpContext) {
    const { user } = auth.use('api').getUserOrFail()
    const found = await User.find(user.id)
    if (!found) throw new E_UNAUTHORIZED()
    return groupsOf(found)
  }

  async show(ctx: HttpContext) {
    return { groups: await groupNamesOf(await getTargetUserOrFail(ctx)) }
  }

  async update(ctx: HttpContext) {
    const { groups, currentPassword, code } = await bodyOf(ctx, userGroupsValidator)
    const { id } = await getTargetUserOrFail(ctx)
    const actor = await reauthenticatedActorOf(ctx, { currentPassword, code })
    return { groups: await setGroupsOf(id, groups, actor) }
  }
}
