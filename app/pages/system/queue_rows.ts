import type { I18n } from '@adonisjs/i18n'
import { formatNumber } from '#i18n/format'
import { MAX_COUNT, type QueueCounts } from '#queue/queue_counts'

/** The page that lists the jobs of a queue. */
const PATHS: Record<string, string> = { mails: '/admin/mails?status=queued' }

export function queueRows(i18n: I18n, queues: QueueCounts[]) {
  return queues.map(({ queue, waiting, active, oldestAt, paused }) => ({
    title: i18n.t(`system.queues.${queue}`, {}, queue),
    path: PATHS[queue] ?? null,
    waiting: countOf(i18n, waiting),
    active: countOf(i18n, active),
    oldestAt,
    paused: paused > 0 ? i18n.t('system.queue.paused', { count: paused }) : null,
  }))
}

function countOf(i18n: I18n, count: number) {
  return `${formatNumber(i18n.locale, count)}${count >= MAX_COUNT ? '+' : ''}`
}
