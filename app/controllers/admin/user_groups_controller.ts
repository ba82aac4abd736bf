import type { HttpContext } from '@adonisjs/core/http'
import { unknownGroup } from '#groups/errors'
import { findGroupByName, getGroupOrFail } from '#groups/group_rows'
import { addMember, removeMember } from '#groups/members'
import { actorOf } from '#http/request_source'
import { getTargetUserOrFail } from '#http/target_user'
import { noFields, submit } from '#pages/forms/forms'
import { redirectWithNotice } from '#pages/redirect'
import { renderUser } from '#pages/users/user_page'
import { userGroupFormValidator } from '#validators/groups'

export default class UserGroupsController {
  async store(ctx: HttpContext) {
    const user = await getTargetUserOrFail(ctx)
    const outcome = await submit(ctx, {
      validator: userGroupFormValidator,
      fields: { E_GROUP_LIMIT: 'group', E_MANAGED: 'group' },
      action: async ({ group: name }) => {
        const group = await findGroupByName(name)
        if (!group) throw unknownGroup('group')
        await addMember(user.id, group.id, actorOf(ctx))
        return group.name
      },
      onError: (groupForm) => renderUser(ctx, { groupForm }),
    })
    return outcome.ok ? done(ctx, 'added', outcome.result) : outcome.page
  }

  async destroy(ctx: HttpContext) {
    const user = await getTargetUserOrFail(ctx)
    const { id, name } = await getGroupOrFail(ctx.params.groupId)
    const outcome = await submit(ctx, {
      validator: noFields,
      action: () => removeMember(user.id, id, actorOf(ctx)),
      onError: ({ errors }) => renderUser(ctx, { problem: errors.form[0] }),
    })
    return outcome.ok ? done(ctx, 'removed', name) : outcome.page
  }
}

async function done(ctx: HttpContext, what: 'added' | 'removed', name: string) {
  const { id, label } = await getTargetUserOrFail(ctx)
  const notice = ctx.i18n.t(`groups.notice.${what}`, { user: label, name })
  return redirectWithNotice(ctx, `/admin/users/${id}#groups`, notice)
}
