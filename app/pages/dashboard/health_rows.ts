import type { I18n } from '@adonisjs/i18n'
import { formatNumber } from '#i18n/format'
import type { ConnectionStatus } from '#health/connection_status'
import type { MailStatus } from '#mails/log/mail_log'

interface Health {
  database: ConnectionStatus
  store: ConnectionStatus
  mails: Record<MailStatus, number>
  /** The answer of a mail server that refused a mail; null if none did. */
  mailProblem: string | null
}

interface HealthRow {
  title: string
  text: string
  kind: 'good' | 'warn' | 'bad'
  verdict: string
}

export function healthOf(i18n: I18n, { database, store, mails, mailProblem }: Health): HealthRow[] {
  const title = i18n.t('console.health.mails')
  return [
    { title: i18n.t('console.health.database'), ...connectionRow(i18n, database) },
    { title: i18n.t('console.health.store'), ...connectionRow(i18n, store) },
    { title, ...(mailProblem ? refusedRow(i18n, mails, mailProblem) : queueRow(i18n, mails)) },
  ]
}

function connectionRow(i18n: I18n, { driver, latencyMs, status }: ConnectionStatus) {
  const text = i18n.t('console.health.latency', { driver, ms: latencyMs })
  return status === 'ok'
    ? { text, kind: 'good' as const, verdict: i18n.t('console.health.up') }
    : { text, kind: 'bad' as const, verdict: i18n.t('console.health.down') }
}

function refusedRow(i18n: I18n, { queued }: Health['mails'], answer: string) {
  const values = { queued: formatNumber(i18n.locale, queued), answer }
  const text = i18n.t('console.health.answer', values)
  return { text, kind: 'bad' as const, verdict: i18n.t('console.health.undelivered') }
}

function queueRow(i18n: I18n, mails: Health['mails']) {
  const [queued, sent, failed] = [mails.queued, mails.sent, mails.failed].map((count) =>
    formatNumber(i18n.locale, count)
  )
  const text = i18n.t('console.health.queue', { queued, sent })
  return mails.failed
    ? { text, kind: 'warn' as const, verdict: i18n.t('console.health.failed', { failed }) }
    : { text, kind: 'good' as const, verdict: i18n.t('console.health.clear') }
}
