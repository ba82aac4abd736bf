import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from '@adonisjs/queue'
import { knex } from '@boringnode/queue/drivers/knex_adapter'
import db from '@adonisjs/lucid/services/db'
import logger from '@adonisjs/core/services/logger'
import queue, { JOBS_TABLE, MAIL_QUEUE, POLL_MS, STALLED_MS } from '#config/queue'

/** How long a database that fails is left alone. */
const ERROR_DELAY_MS = 2_000

/** A mail in hand gets so long when the process ends; what is not done by then is done by another. */
const DRAIN_MS = 5_000

/**
 * Delivers the mails of the queue inside the server process. Any number of processes may
 * run one each: the database hands every job to one of them.
 */
export class MailWorker {
  #worker = new Worker({
    ...queue,
    adapters: { database: knex(db.connection().getWriteClient(), JOBS_TABLE) },
    autoLoadJobs: false,
    logger,
  })

  #isStopping = false
  #rest = new AbortController()
  #loop = Promise.resolve()

  start() {
    this.#loop = this.#run()
  }

  /** Ends a rest: there is something to do. */
  wake() {
    this.#rest.abort()
  }

  async stop() {
    this.#isStopping = true
    this.wake()
    await Promise.race([this.#finish(), sleep(DRAIN_MS, undefined, { ref: false })])
  }

  /**
   * Delivers what is due and returns when nothing is left, or it shall stop. The library
   * waits twice for a delivery that outlives its idle delay, and trips over the second
   * end of it with a TypeError (0.6.0): that job is done, so the cycles go on.
   */
  async drain() {
    while (!this.#isStopping) {
      const cycle = await this.#worker.processCycle([MAIL_QUEUE])
      if (cycle?.type === 'error' && !(cycle.error instanceof TypeError)) throw cycle.error
      if (!cycle || cycle.type === 'idle') return
    }
  }

  async #run() {
    while (!this.#isStopping) {
      const rest = (this.#rest = new AbortController())
      try {
        if (await hasDueJobs()) await this.drain()
        await this.#pause(POLL_MS, rest)
      } catch (error) {
        logger.warn({ err: error }, 'the mail queue could not be read')
        await this.#pause(ERROR_DELAY_MS, rest)
      }
    }
  }

  async #pause(delay: number, { signal }: AbortController) {
    if (this.#isStopping) return
    await sleep(delay, undefined, { signal, ref: false }).catch(() => {})
  }

  /** The second time for a job that was taken while the first was waiting. */
  async #finish() {
    await this.#worker.stop()
    await this.#loop
    await this.#worker.stop()
  }
}

/**
 * One look before the library's seven transactions: on SQLite each of those asks for the
 * writer's lock, and would wait for it with the whole process while a command writes.
 */
async function hasDueJobs(now = Date.now()) {
  const due = await db
    .from(JOBS_TABLE)
    .where('queue', MAIL_QUEUE)
    .where((job) =>
      job
        .where('status', 'pending')
        .orWhere((delayed) => delayed.where('status', 'delayed').where('execute_at', '<=', now))
        .orWhere((taken) =>
          taken.where('status', 'active').where('acquired_at', '<', now - STALLED_MS)
        )
    )
    .first()
  return Boolean(due)
}

let worker: MailWorker | undefined

export function startMailWorker() {
  worker = new MailWorker()
  worker.start()
}

/**
 * Lets the worker begin soon, but not at once: the work on a mail for somebody must not
 * be told from that for nobody by how the next request is answered.
 */
export function wakeMailWorker() {
  if (worker) setTimeout(() => worker?.wake(), randomInt(50, 300)).unref()
}

export async function stopMailWorker() {
  await worker?.stop()
  worker = undefined
}
