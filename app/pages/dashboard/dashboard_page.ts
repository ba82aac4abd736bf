import { activityIn, RANGES, startOf, type Activity, type Range } from '#audit/trail/activity'
import { listAuditEventsAfter } from '#audit/trail/query'
import { eventLines } from '#transformers/admin/event_line'
import { countMails } from '#mails/log/mail_log'
import { findDeliveryProblem } from '#mails/queue/delivery_problem'
import { checkConnections } from '#health/connection_status'
import { formatUtcMinute } from '#validators/utc_time'
import { firstRunChecklist } from './checklist.ts'
import { PLOTS } from './plots.ts'
import { tilesOf } from './dashboard_tiles.ts'
import type { I18n } from '@adonisjs/i18n'
import type User from '#models/user'

/*
 | The numbers of the dashboard. Each leads to the list or the trail with the filter that
 | counts it, from the same point in time.
 */

/** The action of each plot in the filter of the trail. */
const ACTIONS = {
  'sign-ins': 'login.succeeded',
  'failures': 'failed-sign-ins',
  'locks': 'account.locked',
}

/** The range that a URL names; 30 days for anything else. */
export function rangeOf(name: unknown): Range {
  return typeof name === 'string' && Object.hasOwn(RANGES, name) ? (name as Range) : '30d'
}

/** What the page shows. */
export async function dashboardPage(range: Range, administrator: User, i18n: I18n) {
  const from = startOf(range)
  const [tiles, activity, mails, mailProblem, connections, { events }] = await Promise.all([
    tilesOf(from, i18n),
    activityIn(range),
    countMails(),
    findDeliveryProblem(),
    checkConnections(),
    listAuditEventsAfter({}, { limit: 12 }),
  ])
  return {
    checklist: await firstRunChecklist(administrator, i18n),
    range,
    ranges: RANGES,
    tiles,
    activity,
    plots: plotsOf(activity, from),
    mails,
    mailProblem,
    ...connections,
    lines: await eventLines(i18n, events),
  }
}

function plotsOf(activity: Activity[], from: number) {
  return Object.entries(PLOTS).map(([name, { field }]) => {
    const query = { action: ACTIONS[name as keyof typeof PLOTS], from: formatUtcMinute(from) }
    return {
      name,
      total: activity.reduce((sum, period) => sum + period[field], 0),
      peak: Math.max(...activity.map((period) => period[field])),
      path: `/admin/audit?${new URLSearchParams(query)}`,
    }
  })
}
