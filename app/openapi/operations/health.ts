import { E_UNAUTHORIZED } from '#auth/errors'
import { record, ref, type Schema } from '../schema.ts'
import type { Operations } from '../operation.ts'

function status(...values: string[]): Schema {
  return record({ status: { type: 'string', enum: values } })
}

function probeExample(driver: string) {
  return { status: 'ok', driver, latencyMs: 0.4 }
}

const health = record(
  {
    status: { type: 'string', enum: ['ok', 'degraded'] },
    database: ref('Probe'),
    store: ref('Probe'),
  },
  []
)

export const healthOperations: Operations = {
  'GET /health': {
    summary: 'Tell whether the process serves',
    description:
      '`degraded` while something that the process depends on does not answer. 503 while the process is about to end.',
    answers: {
      200: {
        description: 'The process serves',
        schema: health,
        example: { status: 'ok', database: probeExample('sqlite'), store: probeExample('redis') },
      },
      503: { description: 'The process is about to end', schema: status('draining') },
    },
  },
  'GET /health/database': {
    summary: 'Test the database',
    description: 'Asks it a query that reads nothing.',
    answers: {
      200: { description: 'It answers', schema: ref('Probe') },
      503: {
        description: 'It does not answer within a second',
        schema: ref('Probe'),
        example: { status: 'unavailable', driver: 'sqlite', latencyMs: 900.2 },
      },
    },
  },
  'GET /health/redis': {
    summary: 'Test the store of tokens and sessions',
    description: 'The store in use, whichever it is; `driver` tells.',
    answers: {
      200: { description: 'It answers', schema: ref('Probe'), example: probeExample('redis') },
      503: {
        description: 'It does not answer within a second',
        schema: ref('Probe'),
        example: { status: 'unavailable', driver: 'redis', latencyMs: 900.2 },
      },
    },
  },
  'GET /health/live': {
    summary: 'Probe for liveness',
    description: 'Does not use the database or store: restart the process when it fails.',
    answers: { 200: { description: 'The process runs', schema: status('ok') } },
  },
  'GET /health/ready': {
    summary: 'Probe for readiness',
    description: 'Send requests elsewhere while it is 503.',
    answers: {
      200: { description: 'Send requests', schema: status('ok') },
      503: {
        description: 'Send no requests',
        schema: status('unavailable', 'draining'),
      },
    },
  },
  'GET /metrics': {
    summary: 'Read metrics for Prometheus',
    description:
      'For clients that send `METRICS_TOKEN` as Bearer token. If it is not set, only for clients on the same machine, and only while `APP_URL` is local, `TRUSTED_PROXIES` is empty and the request shows no sign of a proxy; requests are then counted from the first reading of the metrics on.',
    answers: {
      200: {
        description: 'Metrics in the text format of Prometheus',
        type: 'text/plain',
        schema: { type: 'string' },
        example: 'gatehouse_password_hashes{state="active"} 0',
      },
    },
    refusals: [E_UNAUTHORIZED],
  },
}
