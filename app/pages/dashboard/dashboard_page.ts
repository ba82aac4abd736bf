import { activityIn, RANGES, startOf, type Activity, type Range } from '#audit/trail/activity'
import { listAuditEventsAfter } from '#audit/trail/query'
import { eventLines } from '#transformers/admin/event_line'
import { countMails } from '#mails/log/mail_log'
import { findOutboundPause } from '#backup/outbound_pause'
import { checkConnections } from '#health/connection_status'
import { lastHeavyDiagnoses, recentDiagnoses } from '#health/recent_diagnoses'
import { checkRows, verdictOf } from '#pages/system/check_rows'
import { formatUtcMinute } from '#validators/utc_time'
import { firstRunChecklist } from './checklist.ts'
import { formatNumber } from '#i18n/format'
import { healthOf } from './health_rows.ts'
import { PLOTS } from './plots.ts'
import { tilesOf } from './dashboard_tiles.ts'
import type { I18n } from '@adonisjs/i18n'
import type User from '#models/user'

/* Each number links to a list with the filter and start time that it counts. */

const ACTIONS = {
  'sign-ins': 'login.succeeded',
  'failures': 'failed-sign-ins',
  'locks': 'account.locked',
}

/** Unknown names mean 30 days. */
export function rangeOf(name: unknown): Range {
  return typeof name === 'string' && Object.hasOwn(RANGES, name) ? (name as Range) : '30d'
}

interface Reader {
  administrator: User
  /** The address in the browser. */
  origin: string | null
  i18n: I18n
}

export async function dashboardPage(range: Range, { administrator, origin, i18n }: Reader) {
  const from = startOf(range)
  const [tiles, activity, mails, { diagnoses }, connections, { events }] = await Promise.all([
    tilesOf(from, i18n),
    activityIn(range),
    countMails(),
    recentDiagnoses(),
    checkConnections(),
    listAuditEventsAfter({}, { limit: 12 }),
  ])
  return {
    pause: await findOutboundPause(),
    checklist: await firstRunChecklist(administrator, i18n, origin),
    range,
    ranges: RANGES,
    tiles,
    periods: activity.toReversed(),
    plots: plotsOf(i18n, { activity, from, range }),
    health: healthOf(i18n, { ...connections, mails, diagnoses }),
    verdict: verdictOf(i18n, checkRows(i18n, [...diagnoses, ...lastHeavyDiagnoses()])),
    lines: await eventLines(i18n, events),
  }
}

interface Shown {
  activity: Activity[]
  from: number
  range: Range
}

function plotsOf(i18n: I18n, { activity, from, range }: Shown) {
  return Object.entries(PLOTS).map(([name, { field }]) => {
    const query = { action: ACTIONS[name as keyof typeof PLOTS], from: formatUtcMinute(from) }
    const title = i18n.t(`console.plots.${name}`)
    const values = {
      plot: title,
      range: i18n.t(`console.range.${range}`),
      total: formatNumber(i18n.locale, sumOf(activity, field)),
      peak: formatNumber(i18n.locale, Math.max(...activity.map((period) => period[field]))),
    }
    return {
      title,
      total: i18n.t('console.plots.total', values),
      description: i18n.t('console.plots.alt', values),
      path: `/admin/audit?${new URLSearchParams(query)}`,
      image: `/admin/plots/${name}.svg?range=${range}`,
    }
  })
}

function sumOf(activity: Activity[], field: keyof Omit<Activity, 'at'>) {
  return activity.reduce((sum, period) => sum + period[field], 0)
}
