import logger from '@adonisjs/core/services/logger'
import { ReceiverAdapter } from './receiver_adapter.ts'

/**
 * The jobs in the database. @boringnode/queue 0.6.0 starts several jobs before it waits for the
 * first: one that fails at once, and whose outcome cannot be stored either, as on a full disk,
 * would end the process with an unhandled rejection. The job stays active instead, and is
 * repeated once it counts as stalled.
 */
export class JobAdapter extends ReceiverAdapter {
  override async retryJob(...args: Parameters<ReceiverAdapter['retryJob']>) {
    await super.retryJob(...args).catch(reportFailure)
  }

  override async failJob(...args: Parameters<ReceiverAdapter['failJob']>) {
    await super.failJob(...args).catch(reportFailure)
  }
}

function reportFailure(error: unknown) {
  logger.warn({ err: error }, 'the outcome of a job could not be stored')
}
