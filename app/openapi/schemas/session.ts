import type { sessionRecord } from '#transformers/session_record'
import { exampleOf } from '../example_of.ts'
import { record } from '../schema.ts'
import { instant, instantOrNull, sessionId, text, textOrNull, yesNo } from './fields.ts'

export const session = record<ReturnType<typeof sessionRecord>>({
  id: sessionId,
  deviceId: { ...text, description: 'As sent in `x-device-id`, or `default`.' },
  deviceName: text,
  ip: text,
  userAgent: textOrNull,
  method: {
    ...text,
    example: 'password',
    description: 'How it started: `password`, `passkey` or the name of a provider.',
  },
  amr: {
    type: 'array',
    items: { type: 'string' },
    example: ['pwd', 'otp', 'mfa'],
    description: 'The last authentication of the session (RFC 8176).',
  },
  authenticatedAt: {
    ...instantOrNull,
    description:
      'Time of the last authentication; a refresh does not renew it. Null if a provider did not tell it.',
  },
  createdAt: instant,
  lastActivity: instant,
  expiresAt: instant,
  current: { ...yesNo, description: 'Whether this is the session of the caller.' },
})

export function otherSessionExample() {
  return { ...(exampleOf(session, {}) as object), current: false }
}
