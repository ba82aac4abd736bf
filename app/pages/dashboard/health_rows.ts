import { checkRow } from '#pages/system/check_rows'
import type { I18n } from '@adonisjs/i18n'
import { formatNumber } from '#i18n/format'
import type { ConnectionStatus } from '#health/connection_status'
import type { Diagnosis } from '#health/diagnostics'
import type { MailStatus } from '#mails/log/mail_log'

interface Health {
  database: ConnectionStatus
  store: ConnectionStatus
  mails: Record<MailStatus, number>
  diagnoses: Diagnosis[]
}

interface HealthRow {
  title: string
  text: string
  kind: 'good' | 'warn' | 'bad'
  verdict: string
}

export function healthOf(i18n: I18n, { database, store, mails, diagnoses }: Health): HealthRow[] {
  const title = i18n.t('console.health.mails')
  const failure = diagnoses.find(({ name, status }) => name === 'mail' && status === 'error')
  return [
    { title: i18n.t('console.health.database'), ...connectionRow(i18n, database) },
    { title: i18n.t('console.health.store'), ...connectionRow(i18n, store) },
    { title, ...(failure ? failureRow(i18n, failure) : queueRow(i18n, mails)) },
  ]
}

function connectionRow(i18n: I18n, { driver, latencyMs, status }: ConnectionStatus) {
  const text = i18n.t('console.health.latency', { driver, ms: latencyMs })
  return status === 'ok'
    ? { text, kind: 'good' as const, verdict: i18n.t('console.health.up') }
    : { text, kind: 'bad' as const, verdict: i18n.t('console.health.down') }
}

function failureRow(i18n: I18n, failure: Diagnosis) {
  const { finding: text } = checkRow(i18n, failure)
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
