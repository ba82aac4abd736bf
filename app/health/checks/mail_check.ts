import { connect } from 'node:net'
import { BaseCheck, Result } from '@adonisjs/core/health'
import { currentMailServer, loadSettings } from '#settings/values/current'
import { countMails } from '#mails/log/mail_log'
import { findDeliveryProblem, findRecentFailure } from '#mails/queue/delivery_problem'

const CONNECT_TIMEOUT_MS = 3_000

export class MailCheck extends BaseCheck {
  name = 'mail'

  async run() {
    await loadSettings()
    const { failed, queued } = await countMails()
    const counts = `${queued} waiting, ${failed} failed`
    return (
      (await this.#checkTransport(counts)) ??
      (await this.#checkDelivery(counts)) ??
      this.#checkQueue(failed, counts)
    )
  }

  async #checkTransport(counts: string) {
    const { mailer, host, port } = currentMailServer()
    if (mailer === 'outbox') {
      const remedy = 'Set SMTP_HOST to send them.'
      return Result.warning(`mails become files (${counts})`).setMetaData({ remedy })
    }
    if (await canConnect(host, port)) return null
    const remedy = 'Check SMTP_HOST and SMTP_PORT.'
    return Result.failed('the SMTP server does not answer').setMetaData({ remedy })
  }

  async #checkDelivery(counts: string) {
    const problem = (await findDeliveryProblem()) ?? (await findRecentFailure())
    if (problem === null) return null
    const remedy = 'Check SMTP_* and MAIL_FROM, which a server refuses most often.'
    const message = `mails are not delivered (${counts}): ${problem}`
    return Result.failed(message).setMetaData({ remedy })
  }

  #checkQueue(failed: number, counts: string) {
    if (failed === 0) return Result.ok(`the SMTP server answers (${counts})`)
    const remedy = 'Run mail:list --status=failed, then mail:retry.'
    return Result.warning(counts).setMetaData({ remedy })
  }
}

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
