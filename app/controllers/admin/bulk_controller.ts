import type { HttpContext } from '@adonisjs/core/http'
import { refusalText } from '#pages/forms/form_errors'
import { findGroupByName } from '#groups/group_rows'
import { applyToUsers, type BulkResult } from '#users/bulk_actions'
import limits from '#config/limits'
import { BATCH_SIZE, selectionOf } from '#users/bulk_selection'
import { redirectWithNotice } from '#pages/redirect'
import { actorOf } from '#http/request_source'
import {
  addUp,
  matchesOthers,
  listPathOf,
  readBulkForm,
  renderProgress,
  renderBulkQuestion,
  targetsOf,
  type BulkForm,
} from '#pages/users/bulk_page'

export default class BulkController {
  async create(ctx: HttpContext) {
    const form = await readBulkForm(ctx)
    if (!form) return this.#refuse(ctx, 'nothing')
    const targets = await targetsOf(ctx, form)
    if (targets.ids.length === 0) return this.#refuse(ctx, form.ids ? 'own' : 'no_match')
    if (targets.ids.length > limits.bulkUsers) return this.#refuse(ctx, 'too_many')
    return renderBulkQuestion(ctx, form, { targets })
  }

  async store(ctx: HttpContext) {
    const form = await readBulkForm(ctx)
    if (!form) return this.#refuse(ctx, 'nothing')
    const targets = await targetsOf(ctx, form)
    if (targets.ids.length > limits.bulkUsers) return this.#refuse(ctx, 'too_many')
    if (matchesOthers(form, targets))
      return renderBulkQuestion(ctx, form, { targets, hasChanged: true })
    if (form.action === 'add-to-group' && !(await groupOf(form))) {
      ctx.response.status(422)
      return renderBulkQuestion(ctx, form, { targets, hasUnknownGroup: true })
    }
    return this.#apply(ctx, form, targets.ids)
  }

  /** Applies only one batch, because a proxy would end a request that takes minutes. */
  async #apply(ctx: HttpContext, form: BulkForm, ids: string[]) {
    const { action, minutes, reason } = form
    const batch = ids.slice(0, BATCH_SIZE)
    const actor = actorOf(ctx)
    const group = await groupOf(form)
    const options = { minutes, reason, group: group?.id }
    const result = await applyToUsers(batch, { action, options, actor })
    const next = addUp(form, batch.at(-1) ?? '', result)
    const rest = selectionOf(ids.slice(BATCH_SIZE))
    if (rest.ids.length > 0) return renderProgress(ctx, next, rest)
    return this.#finish(ctx, next, result)
  }

  async #finish(ctx: HttpContext, { action, done, left }: BulkForm, result: BulkResult) {
    const refused = describeRefused(ctx, result, left ?? 0)
    if (refused) ctx.session.flash('problem', refused)
    const notice = ctx.i18n.t(`console.bulk.${action}.done`, { count: done ?? 0 })
    return redirectWithNotice(ctx, await listPathOf(ctx), notice)
  }

  async #refuse(ctx: HttpContext, reason: 'nothing' | 'too_many' | 'no_match' | 'own') {
    const problem = ctx.i18n.t(`console.bulk.refused.${reason}`, { limit: limits.bulkUsers })
    ctx.session.flash('problem', problem)
    return ctx.response
      .redirect()
      .status(303)
      .toPath(await listPathOf(ctx))
  }
}

async function groupOf({ group }: BulkForm) {
  return group ? findGroupByName(group) : null
}

/** @returns the reasons of the last batch, and the number of all refused users */
function describeRefused({ i18n }: HttpContext, { refused }: BulkResult, left: number) {
  if (left === 0) return null
  const reasons = refused.slice(0, 10).map(({ name, refusal }) => {
    const reason = refusal ? refusalText(refusal, i18n) : i18n.t('console.bulk.own')
    return `${name}: ${reason}`
  })
  if (reasons.length === 0) return i18n.t('console.bulk.left', { count: left })
  const values = { reasons: reasons.join('; '), more: left - reasons.length }
  return i18n.t('console.bulk.left_reasons', values)
}
