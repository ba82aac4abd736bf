import type { ConnectionStatus } from '#health/connection_status'
import { record } from '../schema.ts'
import { text } from './fields.ts'

export const probe = record<ConnectionStatus>({
  status: { type: 'string', enum: ['ok', 'unavailable'] },
  driver: { ...text, description: 'What is connected to.', example: 'sqlite' },
  latencyMs: { type: 'number', minimum: 0 },
})
