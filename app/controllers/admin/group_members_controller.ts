import { validate as isUuid } from 'uuid'
import type { HttpContext } from '@adonisjs/core/http'
import User from '#models/user'
import { E_NOT_FOUND, invalidField } from '#exceptions/http_errors'
import { getGroupOrFail } from '#groups/group_rows'
import { addMember, removeMember } from '#groups/members'
import { actorOf } from '#http/request_source'
import { noFields, submit } from '#pages/forms/forms'
import { renderGroup } from '#pages/groups/group_page'
import { redirectWithNotice } from '#pages/redirect'
import { findUserByName } from '#users/find_user'
import { memberFormValidator } from '#validators/groups'

export default class GroupMembersController {
  async store(ctx: HttpContext) {
    const { id } = await getGroupOrFail(ctx.params.id)
    const outcome = await submit(ctx, {
      validator: memberFormValidator,
      action: async ({ user: name }) => {
        const user = await findOrRefuse(name)
        await addMember(user.id, id, actorOf(ctx))
        return user
      },
      onError: (memberForm) => renderGroup(ctx, { memberForm }),
    })
    return outcome.ok ? done(ctx, 'added', outcome.result) : outcome.page
  }

  async destroy(ctx: HttpContext) {
    const { id } = await getGroupOrFail(ctx.params.id)
    const user = await getUserOrFail(ctx.params.userId)
    const outcome = await submit(ctx, {
      validator: noFields,
      action: () => removeMember(user.id, id, actorOf(ctx)),
      onError: ({ errors }) => renderGroup(ctx, { problem: errors.form[0] }),
    })
    return outcome.ok ? done(ctx, 'removed', user) : outcome.page
  }
}

async function getUserOrFail(id: string) {
  const user = isUuid(id) ? await User.find(id) : null
  if (!user) throw new E_NOT_FOUND()
  return user
}

async function findOrRefuse(name: string) {
  const user = await findUserByName(name)
  if (!user) throw invalidField('user', 'member', 'No account has this e-mail, handle or ID')
  return user
}

async function done(ctx: HttpContext, what: 'added' | 'removed', { label }: User) {
  const { id, name } = await getGroupOrFail(ctx.params.id)
  const notice = ctx.i18n.t(`groups.notice.${what}`, { user: label, name })
  return redirectWithNotice(ctx, `/admin/groups/${id}#members`, notice)
}
