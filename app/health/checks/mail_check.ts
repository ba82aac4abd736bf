import { connect } from 'node:net'
import { BaseCheck } from '@adonisjs/core/health'
import { failed, passed, warning } from '#health/check_result'
import { sentence } from '#i18n/sentences'
import { currentMailServer, loadSettings } from '#settings/values/current'
import { countMails } from '#mails/log/mail_log'
import { findDeliveryProblem, findRecentFailure } from '#mails/queue/delivery_problem'

const CONNECT_TIMEOUT_MS = 3_000

export class MailCheck extends BaseCheck {
  name = 'mail'

  async run() {
    await loadSettings()
    const counts = await countMails()
    return (
      (await this.#checkTransport(counts)) ??
      (await this.#checkDelivery(counts)) ??
      this.#checkQueue(counts)
    )
  }

  async #checkTransport(counts: Counts) {
    const { mailer, host, port } = currentMailServer()
    if (mailer === 'outbox') {
      return warning(sentence('mail.files', counts), sentence('mail.files_remedy'))
    }
    if (await canConnect(host, port)) return null
    const finding = sentence('mail.no_answer', { server: `${host}:${port}` })
    return failed(finding, sentence('mail.no_answer_remedy'))
  }

  async #checkDelivery(counts: Counts) {
    const problem = (await findDeliveryProblem()) ?? (await findRecentFailure())
    if (problem === null) return null
    const finding = sentence('mail.refused', { ...counts, problem })
    return failed(finding, sentence('mail.refused_remedy'))
  }

  #checkQueue(counts: Counts) {
    if (counts.failed === 0) return passed(sentence('mail.good', counts))
    return warning(sentence('mail.counts', counts), sentence('mail.retry_remedy'))
  }
}

type Counts = Awaited<ReturnType<typeof countMails>>

function canConnect(host: string, port: number) {
  return new Promise<boolean>((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_TIMEOUT_MS })
    const end = (isConnected: boolean) => {
      socket.destroy()
      resolve(isConnected)
    }
    socket
      .once('connect', () => end(true))
      .once('error', () => end(false))
      .once('timeout', () => end(false))
  })
}
