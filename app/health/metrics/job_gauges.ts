import db from '@adonisjs/lucid/services/db'
import { JOBS_TABLE, LOGOUT_QUEUE, MAIL_QUEUE } from '#config/queue'
import { selectRows } from '#database/select_rows'
import { gaugeGroup } from './gauge_group.ts'

/** More jobs of a queue are not counted, so that a scrape never reads long. */
const MAX_COUNTED = 2_000

const QUEUES: string[] = [MAIL_QUEUE, LOGOUT_QUEUE]

const STATES = ['pending', 'delayed', 'active']

export const jobGauges = gaugeGroup({
  gauges: {
    gatehouse_jobs: 'Jobs by queue and state: pending, delayed to another try, or active.',
    gatehouse_oldest_job_age_seconds: 'Age of the oldest job of a queue; 0 while it is empty.',
  },
  async read() {
    const rows = await readJobs()
    const cells = QUEUES.flatMap((queue) => STATES.map((state) => ({ queue, state })))
    return {
      gatehouse_jobs: cells.map((labels) => ({ labels, value: countOf(rows, labels) })),
      gatehouse_oldest_job_age_seconds: QUEUES.map((queue) => {
        return { labels: { queue }, value: oldestOf(rows.filter((row) => row.queue === queue)) }
      }),
    }
  },
})

interface JobCount {
  queue: string
  state: string
  jobs: number | string
  queued_at: number | string
}

const OF_QUEUE = `SELECT queue, status AS state, COUNT(*) AS jobs, MIN(queued_at) AS queued_at
  FROM (
    SELECT queue, status, queued_at FROM ${JOBS_TABLE}
    WHERE queue = ? AND status IN ('pending', 'delayed', 'active') LIMIT ${MAX_COUNTED}
  ) AS jobs GROUP BY queue, status`

function readJobs() {
  return selectRows<JobCount>(
    db.connection(),
    QUEUES.map(() => OF_QUEUE).join(' UNION ALL '),
    QUEUES
  )
}

function countOf(rows: JobCount[], { queue, state }: Record<'queue' | 'state', string>) {
  return Number(rows.find((row) => row.queue === queue && row.state === state)?.jobs ?? 0)
}

function oldestOf(rows: JobCount[]) {
  const ages = rows.map((row) => (Date.now() - Number(row.queued_at)) / 1_000)
  return Math.max(0, ...ages)
}
