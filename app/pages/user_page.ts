import { validate as isUuid } from 'uuid'
import type { HttpContext } from '@adonisjs/core/http'
import User from '#models/user'
import { ROLES } from '#auth/roles'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { listAuditEventsAfter } from '#audit/query'
import { listIdentities } from '#users/identities'
import { isPending, isUnused } from '#users/invitations'
import { listSessions } from '#auth/sessions/sessions'
import { ONE_TIME_TTL_MS } from '#auth/tokens/one_time_tokens'
import { eventLines } from '#transformers/admin/event_line'
import { redirectWithNotice } from './redirect.ts'
import { nothing, submit, type Form } from './forms.ts'

/** The user that the address names. */
export async function findUser({ params }: HttpContext) {
  const user = isUuid(params.id) ? await User.find(params.id) : null
  if (!user) throw new E_NOT_FOUND()
  return user
}

interface UserPage {
  form?: Form
  /** What could not be done, and why. */
  problem?: string
}

/** Everything about one user. */
export async function renderUser(ctx: HttpContext, { form, problem }: UserPage = {}) {
  const user = await findUser(ctx)
  const [sessions, identities, { events }] = await Promise.all([
    listSessions(user.id),
    listIdentities(user.id),
    listAuditEventsAfter({ target: user.id }, { limit: 10 }),
  ])
  return ctx.view.render('admin/users/show', {
    user,
    form: form ?? { input: detailsOf(user), errors: {} },
    /** A form with faults goes on from what its page showed at first. */
    shown: form?.input.shown ?? JSON.stringify(detailsOf(user)),
    problem: problem ?? null,
    sessions,
    identities,
    ownSessionId: ctx.caller.session.id,
    lines: await eventLines(events),
    pending: isPending(user),
    unused: isUnused(user),
    roles: ROLES.includes(user.role) ? ROLES : [...ROLES, user.role],
    resetValidity: ONE_TIME_TTL_MS.password_reset,
  })
}

function detailsOf({ username, nickname, email, role, isEmailVerified }: User) {
  return { username, nickname, email, role, emailVerified: isEmailVerified }
}

/** Does something to the user of the page and returns to it; a refusal is told there. */
export async function change(ctx: HttpContext, perform: () => Promise<unknown>, notice: string) {
  const outcome = await submit(ctx, {
    validator: nothing,
    perform,
    again: ({ errors }) => renderUser(ctx, { problem: errors.form[0] }),
  })
  return outcome.isDone
    ? redirectWithNotice(ctx, `/admin/users/${ctx.params.id}`, notice)
    : outcome.page
}
