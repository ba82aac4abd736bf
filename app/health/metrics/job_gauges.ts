import db from '@adonisjs/lucid/services/db'
import { JOBS_TABLE, LOGOUT_QUEUE, MAIL_QUEUE } from '#config/queue'
import { selectRows } from '#database/select_rows'
import { gaugeGroup } from './gauge_group.ts'
import { pendingDeliveries } from './pending_deliveries.ts'

/** Jobs of a queue beyond this number are not counted, so that a scrape is always quick. */
const MAX_COUNTED = 2_000

const QUEUES: string[] = [MAIL_QUEUE, LOGOUT_QUEUE]

const STATES = ['pending', 'delayed', 'active']

export const jobGauges = gaugeGroup({
  gauges: {
    gatehouse_jobs: 'Jobs by queue and state: pending, delayed to another try, or active.',
    gatehouse_oldest_job_age_seconds: 'Age of the oldest job of a queue; 0 while it is empty.',
  },
  async read() {
    const [jobs, deliveries] = await Promise.all([readJobs(), readDeliveries()])
    const queues = [...QUEUES.map((queue) => queueOf(queue, jobs)), deliveries]
    return {
      gatehouse_jobs: queues.flatMap(({ queue, states }) =>
        Object.entries(states).map(([state, value]) => ({ labels: { queue, state }, value }))
      ),
      gatehouse_oldest_job_age_seconds: queues.map(({ queue, ageMs }) => {
        return { labels: { queue }, value: ageMs / 1_000 }
      }),
    }
  },
})

interface Queue {
  queue: string
  states: Record<string, number>
  ageMs: number
}

function queueOf(queue: string, all: JobCount[]): Queue {
  const jobs = all.filter((each) => each.queue === queue)
  const states = STATES.map((state) => {
    return [state, Number(jobs.find((each) => each.state === state)?.jobs ?? 0)]
  })
  const ages = jobs.map((each) => Date.now() - Number(each.queued_at))
  return { queue, states: Object.fromEntries(states), ageMs: Math.max(0, ...ages) }
}

async function readDeliveries(): Promise<Queue> {
  const { ageMs, ...states } = await pendingDeliveries()
  return { queue: 'webhooks', states, ageMs }
}

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
