import type { HttpContext } from '@adonisjs/core/http'
import User, { ADMIN_ROLE } from '#models/user'
import { applyToUsers, type BulkResult } from '#users/bulk_actions'
import { MAX_SELECTED, PORTION, selectionOf } from '#users/bulk_selection'
import { redirectWithNotice } from '#pages/redirect'
import { askToConfirm, isConfirmed, mustConfirm } from '#pages/reauthentication'
import { actorOf } from '#http/request_origin'
import {
  addUp,
  listPathOf,
  readBulkForm,
  renderProgress,
  renderQuestion,
  targetsOf,
  type BulkForm,
} from '#pages/bulk_page'
import { BULK_WORDS } from '#pages/bulk_words'

/** One action on several users: first a page that lists or counts them, then the action. */
export default class BulkController {
  async create(ctx: HttpContext) {
    const form = await readBulkForm(ctx)
    if (!form) return this.#refuse(ctx, NOTHING)
    const targets = await targetsOf(form)
    if (targets.ids.length === 0) return this.#refuse(ctx, 'No user matches any more.')
    if (targets.ids.length > MAX_SELECTED) return this.#refuse(ctx, TOO_MANY)
    return renderQuestion(ctx, form, { targets })
  }

  async store(ctx: HttpContext) {
    const form = await readBulkForm(ctx)
    if (!form) return this.#refuse(ctx, NOTHING)
    const targets = await targetsOf(form)
    const { ids, fingerprint } = targets
    if (ids.length > MAX_SELECTED) return this.#refuse(ctx, TOO_MANY)
    const hasChanged = Boolean(form.all) && fingerprint !== form.fingerprint
    if (hasChanged && ids.length > 0) return renderQuestion(ctx, form, { targets, hasChanged })
    if (form.action === 'delete' && !isConfirmed(ctx)) {
      return askToConfirm(ctx, `Delete ${users(ids.length)} with everything that is theirs.`)
    }
    if (
      (form.action === 'disable' || form.action === 'lock') &&
      mustConfirm(ctx, { isAdmin: await includeOtherAdmin(ctx, ids) })
    ) {
      return askToConfirm(
        ctx,
        `${CHANGES[form.action]} ${users(ids.length)}, administrators among them.`
      )
    }
    return this.#apply(ctx, form, ids)
  }

  /** One portion; a request that took minutes would end at some proxy between. */
  async #apply(ctx: HttpContext, form: BulkForm, ids: string[]) {
    const { action, minutes, reason } = form
    const portion = ids.slice(0, PORTION)
    const actor = actorOf(ctx)
    const result = await applyToUsers(portion, { action, options: { minutes, reason }, actor })
    const next = addUp(form, portion.at(-1) ?? '', result)
    const rest = selectionOf(ids.slice(PORTION))
    if (rest.ids.length > 0) return renderProgress(ctx, next, rest)
    return this.#finish(ctx, next, result)
  }

  async #finish(ctx: HttpContext, { action, done, left }: BulkForm, result: BulkResult) {
    const refused = describeRefused(result, left ?? 0)
    if (refused) ctx.session.flash('problem', refused)
    const notice = `${users(done ?? 0)} ${done === 1 ? 'was' : 'were'} ${BULK_WORDS[action].done}.`
    return redirectWithNotice(ctx, await listPathOf(ctx), notice)
  }

  async #refuse(ctx: HttpContext, problem: string) {
    ctx.session.flash('problem', problem)
    return ctx.response
      .redirect()
      .status(303)
      .toPath(await listPathOf(ctx))
  }
}

const CHANGES = { disable: 'Disable', lock: 'Lock' }

const format = (value: number) => value.toLocaleString('en-GB')

const NOTHING = 'Tick at least one user and choose what to do.'
const TOO_MANY = `More than ${format(MAX_SELECTED)} users match: narrow the list first.`

function users(total: number) {
  return total === 1 ? '1 user' : `${format(total)} users`
}

/** Without the user of who acts, whom a bulk action leaves out. */
async function includeOtherAdmin({ auth }: HttpContext, ids: string[]) {
  const { user } = auth.use('web').getUserOrFail()
  const others = User.query().whereIn('id', ids).whereNot('id', user.id)
  return Boolean(await others.where('role', ADMIN_ROLE).first())
}

/** The reasons of the last portion, and how many were left in all. */
function describeRefused({ refused }: BulkResult, left: number) {
  const reasons = refused.slice(0, 10).map(({ name, reason }) => `${name}: ${reason}`)
  const more = left - reasons.length
  if (left === 0) return null
  if (reasons.length === 0) return `Left as they are: ${users(left)}.`
  return `Left as they are: ${reasons.join('; ')}${more ? ` and ${format(more)} more` : ''}.`
}
