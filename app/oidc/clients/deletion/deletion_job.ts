import { Job } from '@adonisjs/queue'
import { CLIENT_QUEUE } from '#config/queue'
import { finishDeletion } from './finish_deletion.ts'
import { retryOptions } from '#queue/retry_options'

/** The tokens of the client stay refused until the job succeeds. */
const RETRIES = { max: Number.MAX_SAFE_INTEGER, firstDelayMs: 2_000, longestDelayMs: 600_000 }

export default class DeleteClient extends Job<{ clientId: string }> {
  static options = { name: 'DeleteClient', queue: CLIENT_QUEUE, ...retryOptions(RETRIES) }

  execute() {
    return finishDeletion(this.payload.clientId)
  }
}
