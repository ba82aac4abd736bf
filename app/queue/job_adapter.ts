import logger from '@adonisjs/core/services/logger'
import { ReceiverAdapter } from './receiver_adapter.ts'

/**
 * If an outcome cannot be stored, @boringnode/queue 0.6.0 would end the process. With this adapter,
 * the job stalls instead, and is repeated.
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
