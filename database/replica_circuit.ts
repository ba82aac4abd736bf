import pg from 'pg'
import logger from '@adonisjs/core/services/logger'

/** The time between two trials of the replica, for which no request waits. */
const PAUSE_MS = 5_000

/** The replica is away, out of resources or behind; the primary would repeat all other errors. */
const SQL_STATE = /^(08|53|57P|58)|^(40001|42P01|42703)$/

function isReplicaGone(error: unknown) {
  return !(error instanceof pg.DatabaseError) || SQL_STATE.test(error.code ?? '')
}

/** Open while statements go to the primary. */
export class Circuit {
  #isOpen = false
  #triedAt = 0

  constructor(readonly probe: () => Promise<unknown>) {}

  async run<T>(onReplica: () => Promise<T>, onPrimary: () => Promise<T>): Promise<T> {
    if (this.#isOpen) {
      this.#tryAgain()
      return onPrimary()
    }
    try {
      return await onReplica()
    } catch (error) {
      if (!isReplicaGone(error)) throw error
      this.#open(error as Error)
      return onPrimary()
    }
  }

  /** Requests that fail at the same time log only one line. */
  #open({ message }: Error) {
    if (this.#isOpen) return
    this.#isOpen = true
    this.#triedAt = performance.now()
    const reason = message.split(' - ').at(-1)
    logger.warn({ reason }, 'the replica does not answer: lists are read from the primary')
  }

  #tryAgain() {
    if (performance.now() - this.#triedAt < PAUSE_MS) return
    this.#triedAt = performance.now()
    this.probe().then(
      () => this.#close(),
      () => {}
    )
  }

  #close() {
    if (!this.#isOpen) return
    this.#isOpen = false
    logger.info('the replica answers again')
  }
}
