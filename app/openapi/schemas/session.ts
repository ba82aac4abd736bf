import type { sessionRecord } from '#transformers/session_record'
import { exampleOf } from '../examples.ts'
import { record } from '../schema.ts'
import { instant, sessionId, text, textOrNull, yesNo } from './fields.ts'

export const session = record<ReturnType<typeof sessionRecord>>({
  id: sessionId,
  deviceId: { ...text, description: 'As sent in `x-device-id`, or `default`.' },
  deviceName: text,
  ip: text,
  userAgent: textOrNull,
  createdAt: instant,
  lastActivity: instant,
  expiresAt: instant,
  current: { ...yesNo, description: 'Whether this is the session of the caller.' },
})

/** A session of another user than the caller. */
export function otherSessionExample() {
  return { ...(exampleOf(session, {}) as object), current: false }
}
