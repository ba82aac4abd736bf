import type { HttpContext } from '@adonisjs/core/http'
import User from '#models/user'
import store from '#auth/store/service'
import { findUserByName } from '#users/find_user'
import { listSessions } from '#auth/sessions/sessions'
import { endSessionAs } from '#auth/sessions/end_session'
import type { SessionPage } from '#auth/store/contract'
import { redirectWithNotice } from '#pages/redirect'
import { actorOf } from '#http/request_source'

const PAGE_SIZE = 30

/** Lists all sessions in the order in which the store scans them. */
export default class SessionsController {
  async index({ request, view, auth }: HttpContext) {
    const { cursor, user } = request.qs()
    const now = Date.now()
    const given = typeof cursor === 'string' ? cursor : null
    const [page, total] = await Promise.all([
      user ? sessionsOf(user) : store.scanSessions({ cursor: given, limit: PAGE_SIZE, now }),
      store.countSessions(now),
    ])
    const rows = await rowsOf(page)
    const next = page.nextCursor && `/admin/sessions?cursor=${encodeURIComponent(page.nextCursor)}`
    const own = auth.use('web').getUserOrFail().session.id
    const form = { input: { user }, errors: {} }
    const isFirst = given === null
    return view.render('admin/sessions', { rows, total, next, isFirst, own, form })
  }

  async destroy(ctx: HttpContext) {
    const { userId, sessionId } = ctx.params
    const isEnded = await endSessionAs(userId, sessionId, actorOf(ctx))
    const notice = ctx.i18n.t(`console.sessions.${isEnded ? 'ended' : 'had_ended'}`)
    return redirectWithNotice(ctx, '/admin/sessions', notice)
  }
}

/** Unknown users have no sessions. */
async function sessionsOf(name: unknown): Promise<SessionPage> {
  const user = await findUserByName(String(name).trim())
  return { sessions: user ? await listSessions(user.id) : [], nextCursor: null }
}

/** Leaves out a session whose user has just been deleted. */
async function rowsOf({ sessions }: SessionPage) {
  const owners = await ownersOf(sessions.map(({ userId }) => userId))
  return sessions
    .map((session) => ({ session, user: owners.get(session.userId) }))
    .filter((row) => row.user)
}

async function ownersOf(userIds: string[]) {
  const ids = [...new Set(userIds)]
  const users = ids.length ? await User.query().whereIn('id', ids) : []
  return new Map(users.map((user) => [user.id, user]))
}
