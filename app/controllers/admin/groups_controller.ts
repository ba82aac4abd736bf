import type { HttpContext } from '@adonisjs/core/http'
import { getGroupOrFail } from '#groups/group_rows'
import { deleteGroup, updateGroup } from '#groups/groups'
import { actorOf } from '#http/request_source'
import { noFields, submit } from '#pages/forms/forms'
import { addGroupOnce } from '#pages/groups/add_group_once'
import { renderGroups } from '#pages/groups/group_list_page'
import { changedFields, renderGroup, renderNewGroup } from '#pages/groups/group_page'
import { redirectWithNotice } from '#pages/redirect'
import { createGroupValidator, groupFormValidator } from '#validators/groups'

export default class GroupsController {
  index(ctx: HttpContext) {
    return renderGroups(ctx)
  }

  create(ctx: HttpContext) {
    return renderNewGroup(ctx)
  }

  async store(ctx: HttpContext) {
    const outcome = await submit(ctx, {
      validator: createGroupValidator,
      fields: { E_GROUP_EXISTS: 'name' },
      action: (values) => addGroupOnce(ctx, values),
      onError: (form) => renderNewGroup(ctx, form),
    })
    if (!outcome.ok) return outcome.page
    return done(ctx, outcome.result.id, ctx.i18n.t('groups.notice.created'))
  }

  show(ctx: HttpContext) {
    return renderGroup(ctx)
  }

  async update(ctx: HttpContext) {
    const { id } = await getGroupOrFail(ctx.params.id)
    const outcome = await submit(ctx, {
      validator: groupFormValidator,
      fields: { E_GROUP_EXISTS: 'name' },
      action: (values) => updateGroup(id, changedFields(ctx, values), actorOf(ctx)),
      onError: (form) => renderGroup(ctx, { form }),
    })
    return outcome.ok ? done(ctx, id, ctx.i18n.t('groups.notice.updated')) : outcome.page
  }

  async delete(ctx: HttpContext) {
    return ctx.view.render('admin/groups/delete', { group: await getGroupOrFail(ctx.params.id) })
  }

  async destroy(ctx: HttpContext) {
    const { id, name } = await getGroupOrFail(ctx.params.id)
    const outcome = await submit(ctx, {
      validator: noFields,
      action: () => deleteGroup(id, actorOf(ctx)),
      onError: ({ errors }) => renderGroup(ctx, { problem: errors.form[0] }),
    })
    if (!outcome.ok) return outcome.page
    return redirectWithNotice(ctx, '/admin/groups', ctx.i18n.t('groups.notice.deleted', { name }))
  }
}

function done(ctx: HttpContext, id: string, notice: string) {
  return redirectWithNotice(ctx, `/admin/groups/${id}`, notice)
}
