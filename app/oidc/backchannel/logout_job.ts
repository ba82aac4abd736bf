import { Job } from '@adonisjs/queue'
import oidc from '#config/oidc'
import { LOGOUT_QUEUE } from '#config/queue'
import { sendLogoutToken } from './send_logout_token.ts'
import { retryOptions } from '#queue/retry_options'
import type { LogoutMessage } from './logout_token.ts'

const { retries } = oidc.logouts

/** After a thrown failure the queue tries again. */
export default class SendLogoutToken extends Job<LogoutMessage> {
  static options = { name: 'SendLogoutToken', queue: LOGOUT_QUEUE, ...retryOptions(retries) }

  execute() {
    const isLastTry = this.context.attempt > retries.max
    return sendLogoutToken(this.payload, { isLastTry })
  }
}
