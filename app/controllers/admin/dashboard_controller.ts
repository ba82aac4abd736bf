import type { HttpContext } from '@adonisjs/core/http'
import { activityByDay, type DayOfActivity } from '#audit/activity'
import { listAuditEventsAfter } from '#audit/query'
import tokenStore from '#auth/store/service'
import { countByStatus } from '#users/list/count'
import { eventLines } from '#transformers/admin/event_line'
import { countMails } from '#mails/mail_log'
import { checkConnections } from '#health/connection_status'
import { PLOTS } from '#pages/plots'

const TITLES = { 'sign-ins': 'Sign-ins', 'failures': 'Failed sign-ins', 'locks': 'Locks' } as const

/** The first page of the console: counts, recent events and the health of the service. */
export default class DashboardController {
  async show({ view }: HttpContext) {
    const [counts, sessions, activity, mails, { database, store }, { events }] = await Promise.all([
      countByStatus(),
      tokenStore.countSessions(Date.now()),
      activityByDay(30),
      countMails(),
      checkConnections(),
      listAuditEventsAfter({}, { limit: 12 }),
    ])
    const lines = await eventLines(events)
    const plots = plotsOf(activity)
    return view.render('admin/dashboard', {
      counts,
      activity,
      plots,
      mails,
      database,
      store,
      lines,
      sessions,
    })
  }
}

function plotsOf(activity: DayOfActivity[]) {
  return Object.entries(PLOTS).map(([name, { field }]) => {
    const total = activity.reduce((sum, day) => sum + day[field], 0)
    const { day: on, [field]: peak } = activity.reduce((most, day) =>
      day[field] > most[field] ? day : most
    )
    return { name, title: TITLES[name as keyof typeof TITLES], total, peak, on }
  })
}
