import type { HttpContext } from '@adonisjs/core/http'
import User from '#models/user'
import { applyToUsers, type BulkAction, type BulkResult } from '#users/bulk_actions'
import { bulkValidator } from '#validators/admin'
import { inputOf } from '#pages/forms'
import { redirectWithNotice } from '#pages/redirect'
import { askToConfirm, isConfirmed } from '#pages/reauthentication'
import { actorOf } from '#http/request_origin'

const TEXTS: Record<BulkAction, { question: string; button: string; done: string }> = {
  'lock': { question: 'Lock these users?', button: 'Lock', done: 'locked' },
  'unlock': { question: 'Unlock these users?', button: 'Unlock', done: 'unlocked' },
  'disable': { question: 'Disable these users?', button: 'Disable', done: 'disabled' },
  'delete': { question: 'Delete these users for good?', button: 'Delete', done: 'deleted' },
  'end-sessions': {
    question: 'End all sessions of these users?',
    button: 'End sessions',
    done: 'signed out everywhere',
  },
}

/** One action on several users: first a page that lists them, then the action. */
export default class BulkController {
  async create(ctx: HttpContext) {
    const { request, response, session, view } = ctx
    const [invalid, chosen] = await bulkValidator.tryValidate(request.body())
    if (invalid) {
      session.flash('problem', 'Tick at least one user and choose what to do.')
      return response.redirect().status(303).toPath('/admin/users')
    }
    const users = await User.query().whereIn('id', chosen.ids).orderBy('email')
    const { action } = chosen
    return view.render('admin/users/bulk', { users, action, words: TEXTS[action] })
  }

  async store(ctx: HttpContext) {
    const { action, ids, ...options } = await bulkValidator.validate(inputOf(ctx))
    if (action === 'delete' && !isConfirmed(ctx)) {
      const users = ids.length === 1 ? '1 user' : `${ids.length} users`
      return askToConfirm(ctx, `Delete ${users} with everything that is theirs.`)
    }
    const result = await applyToUsers(ids, { action, options, actor: actorOf(ctx) })
    const refused = describeRefused(result)
    if (refused) ctx.session.flash('problem', refused)
    const users = result.done === 1 ? '1 user was' : `${result.done} users were`
    return redirectWithNotice(ctx, '/admin/users', `${users} ${TEXTS[action].done}.`)
  }
}

function describeRefused({ refused }: BulkResult) {
  const reasons = refused.slice(0, 10).map(({ name, reason }) => `${name}: ${reason}`)
  const more = refused.length > 10 ? ` and ${refused.length - 10} more` : ''
  return reasons.length ? `Left as they are: ${reasons.join('; ')}${more}.` : null
}
