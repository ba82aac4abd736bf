import type { I18n } from '@adonisjs/i18n'
import { formatNumber } from '#i18n/format'
import type { PendingDeliveries } from '#webhooks/deliveries/pending_counts'
import { MAX_COUNT, type QueueCounts } from '#queue/queue_counts'

/** The page that lists the jobs of a queue. */
const PATHS: Record<string, string> = { mails: '/admin/mails?status=queued' }

export interface Queues {
  jobs: QueueCounts[]
  deliveries: PendingDeliveries
}

export function queueRows(i18n: I18n, { jobs, deliveries }: Queues) {
  return [...jobs.map((each) => jobsRow(i18n, each)), deliveriesRow(i18n, deliveries)]
}

function jobsRow(i18n: I18n, { queue, waiting, active, oldestAt, paused }: QueueCounts) {
  const counts = { waiting: countOf(i18n, waiting), active: countOf(i18n, active) }
  return {
    title: i18n.t(`system.queues.${queue}`, {}, queue),
    path: PATHS[queue] ?? null,
    text: i18n.t('system.queue.counts', counts),
    oldestAt,
    paused: paused > 0 ? i18n.t('system.queue.paused', { count: paused }) : null,
  }
}

function deliveriesRow(i18n: I18n, { pending, delayed, oldestAt }: PendingDeliveries) {
  const counts = { pending: formatNumber(i18n.locale, pending), delayed }
  return {
    title: i18n.t('system.queues.webhooks'),
    path: '/admin/webhooks',
    text: i18n.t('system.queue.deliveries', counts),
    oldestAt,
    paused: null,
  }
}

function countOf(i18n: I18n, count: number) {
  return `${formatNumber(i18n.locale, count)}${count >= MAX_COUNT ? '+' : ''}`
}
