import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from '@adonisjs/queue'
import { knex } from '@boringnode/queue/drivers/knex_adapter'
import db from '@adonisjs/lucid/services/db'
import logger from '@adonisjs/core/services/logger'
import queue, { JOBS_TABLE, MAIL_QUEUE, POLL_MS } from '#config/queue'
import { hasDueJobs } from './due_jobs.ts'
import { isRepeatedCompletion } from './repeated_completion.ts'

/** How long the worker waits after an error of the database, so that it does not add to its load. */
const ERROR_DELAY_MS = 2_000

/**
 * How long a delivery may still take when the process ends. A delivery that takes longer
 * is stalled then, and another process repeats it.
 */
const STOP_TIMEOUT_MS = 5_000

/**
 * Delivers the mails of the queue inside the server process. Any number of processes may
 * run one each: the database gives every job to one of them.
 */
export class MailWorker {
  #worker = new Worker({
    ...queue,
    adapters: { database: knex(db.connection().getWriteClient(), JOBS_TABLE) },
    autoLoadJobs: false,
    logger,
  })

  #isStopping = false
  #pause = new AbortController()
  #loop = Promise.resolve()

  start() {
    this.#loop = this.#run()
  }

  async #run() {
    while (!this.#isStopping) {
      const pause = (this.#pause = new AbortController())
      const delay = await this.#deliver()
      await this.#sleep(delay, pause)
    }
  }

  /** How long to sleep after one look at the queue, in milliseconds. */
  async #deliver() {
    try {
      if (await hasDueJobs()) await this.drain()
      return POLL_MS
    } catch (error) {
      logger.warn({ err: error }, 'the mail queue could not be read')
      return ERROR_DELAY_MS
    }
  }

  /** Delivers due mails until none is left or the worker stops. */
  async drain() {
    while (!this.#isStopping) {
      const cycle = await this.#worker.processCycle([MAIL_QUEUE])
      if (cycle?.type === 'error' && !isRepeatedCompletion(cycle.error)) throw cycle.error
      if (!cycle || cycle.type === 'idle') return
    }
  }

  async #sleep(delay: number, { signal }: AbortController) {
    if (this.#isStopping) return
    await sleep(delay, undefined, { signal, ref: false }).catch(() => {})
  }

  /** Ends the pause between two looks at the queue. */
  wake() {
    this.#pause.abort()
  }

  async stop() {
    this.#isStopping = true
    this.wake()
    await Promise.race([this.#finish(), sleep(STOP_TIMEOUT_MS, undefined, { ref: false })])
  }

  /** The library stops twice: the second time for a job that was taken during the first. */
  async #finish() {
    await this.#worker.stop()
    await this.#loop
    await this.#worker.stop()
  }
}

let worker: MailWorker | undefined

export function startMailWorker() {
  worker = new MailWorker()
  worker.start()
}

/**
 * Wakes the worker after a random delay. A mail for a known address takes more work than
 * one for an unknown address, and without the delay an attacker could tell the two apart
 * by how quickly the next request is answered.
 */
export function wakeMailWorker() {
  if (worker) setTimeout(() => worker?.wake(), randomInt(50, 300)).unref()
}

export async function stopMailWorker() {
  await worker?.stop()
  worker = undefined
}
