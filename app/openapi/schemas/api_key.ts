import type { KeyRecord } from '#auth/api_keys/key_record'
import { SCOPES } from '#auth/api_keys/scopes'
import { API_KEY } from '../examples.ts'
import { record, type Schema } from '../schema.ts'
import { instant, instantOrNull, text, textOrNull } from './fields.ts'

const fields = {
  id: { ...text, example: '4fJ0aZr7QwT1xY9c', description: 'The part after `gh_` in the key.' },
  name: { ...text, example: 'Nightly report' },
  scopes: {
    type: 'array',
    items: { type: 'string', enum: [...SCOPES] },
    example: ['users:read', 'audit:read'],
  },
  createdAt: instant,
  expiresAt: instant,
  lastUsedAt: instantOrNull,
  lastUsedIp: { ...textOrNull, example: '203.0.113.7' },
} satisfies Record<keyof KeyRecord, Schema>

export const apiKey = record<KeyRecord>(fields)

export const newApiKey = record<KeyRecord & { key: string }>({
  ...fields,
  lastUsedAt: { ...instantOrNull, example: null },
  lastUsedIp: { ...textOrNull, example: null },
  key: { ...text, example: API_KEY, description: 'The key itself. Nobody can read it again.' },
})
