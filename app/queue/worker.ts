import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from '@adonisjs/queue'
import db from '@adonisjs/lucid/services/db'
import logger from '@adonisjs/core/services/logger'
import limits from '#config/limits'
import { isOutboundPaused } from '#backup/outbound_pause'
import settings, { JOBS_AT_ONCE, OUTBOUND_QUEUES, POLL_MS, type QueueName } from '#config/queue'
import { yieldToEventLoop } from '#database/batches'
import { hasDueJobs } from './due_jobs.ts'
import { JobAdapter } from './job_adapter.ts'
import { isRepeatedCompletion } from './repeated_completion.ts'

/** Keeps the worker from adding to the load of a failing database. */
const ERROR_DELAY_MS = 2_000

/** A job that takes longer is stalled when the process ends, and another process repeats it. */
const STOP_TIMEOUT_MS = 5_000

/** Any number of processes may run one each: the database gives every job to one of them. */
export class QueueWorker {
  #queue: QueueName
  #worker: Worker

  constructor(queue: QueueName) {
    this.#queue = queue
    this.#worker = new Worker({
      ...settings,
      worker: { ...settings.worker, concurrency: limits[JOBS_AT_ONCE[queue]] },
      adapters: { database: () => new JobAdapter(db.connection().getWriteClient()) },
      autoLoadJobs: false,
      logger,
    })
  }

  #isStopping = false
  #pause = new AbortController()
  #loop = Promise.resolve()

  start() {
    this.#loop = this.#run()
  }

  async #run() {
    while (!this.#isStopping) {
      const pause = (this.#pause = new AbortController())
      const delay = await this.#look()
      await this.#sleep(delay, pause)
    }
  }

  /** Returns the milliseconds until the next look. */
  async #look() {
    try {
      if (await hasDueJobs(this.#queue)) await this.drain()
      return POLL_MS
    } catch (error) {
      logger.warn({ err: error }, `the queue ${this.#queue} could not be read`)
      return ERROR_DELAY_MS
    }
  }

  /**
   * Lets requests be answered between two jobs. With SQLite, failing jobs would otherwise never
   * leave the event loop.
   */
  async drain() {
    while (!this.#isStopping && !(await this.#isPaused())) {
      await yieldToEventLoop()
      const cycle = await this.#worker.processCycle([this.#queue])
      if (cycle?.type === 'error' && !isRepeatedCompletion(cycle.error)) throw cycle.error
      if (!cycle || cycle.type === 'idle') return
    }
  }

  /** Holds back what a restored copy was about to send. */
  async #isPaused() {
    return OUTBOUND_QUEUES.includes(this.#queue) && (await isOutboundPaused())
  }

  async #sleep(delay: number, { signal }: AbortController) {
    if (this.#isStopping) return
    await sleep(delay, undefined, { signal, ref: false }).catch(() => {})
  }

  wake() {
    this.#pause.abort()
  }

  async stop() {
    this.#isStopping = true
    this.wake()
    await Promise.race([this.#finish(), sleep(STOP_TIMEOUT_MS, undefined, { ref: false })])
  }

  /** Stops the library twice: the second time for a job that was taken during the first. */
  async #finish() {
    await this.#worker.stop()
    await this.#loop
    await this.#worker.stop()
  }
}
