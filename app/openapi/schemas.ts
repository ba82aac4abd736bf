import type { AuditRecord } from '#audit/record'
import type { Probe } from '#health/probes'
import type { sessionRecord } from '#transformers/session_record'
import type { loginResponse, refreshResponse } from '#transformers/token_response'
import type { UserRecord } from '#transformers/user_transformer'
import { SESSION_ID, USER_ID } from './examples.ts'
import { listOf, record, ref, type Schema } from './schema.ts'

/*
 | What answers look like, field by field as the transformers write them. Every answer of
 | the functional tests is held against these schemas (`tests/contract.ts`).
 */

export const text: Schema = { type: 'string' }
export const textOrNull: Schema = { type: 'string', nullable: true }
export const yesNo: Schema = { type: 'boolean' }
export const count: Schema = { type: 'integer', minimum: 0 }
export const instant: Schema = { type: 'string', format: 'date-time' }
export const instantOrNull: Schema = { ...instant, nullable: true }
export const uuid: Schema = { type: 'string', format: 'uuid' }
export const sessionId: Schema = { ...uuid, example: SESSION_ID }

/** An answer that only confirms, with the exact words. */
export function message(words: string): Schema {
  return record<{ message: string }>({ message: { type: 'string', example: words } })
}

/** A page of a list of version 1. */
export function pageOf(item: Schema): Schema {
  const meta = record({ total: count, page: { ...count, minimum: 1 }, limit: count })
  return record({ data: listOf(item), meta })
}

const tokenType: Schema = { type: 'string', enum: ['Bearer'] }

const expiresIn: Schema = {
  type: 'integer',
  minimum: 1,
  description: 'Seconds that the access token lives.',
}

const user = record<UserRecord>({
  id: { ...uuid, description: 'UUID v7, the `sub` claim of tokens.' },
  email: { ...text, format: 'email', description: 'In its canonical form.' },
  emailVerified: yesNo,
  username: text,
  nickname: textOrNull,
  role: { ...text, description: '`User`, `Admin` or a role of `EXTRA_ROLES`.' },
  avatar: { ...textOrNull, description: 'Path of the picture.' },
  provider: { ...textOrNull, description: 'External provider that the account came from.' },
  providerId: { ...textOrNull, description: 'The id of the user at that provider.' },
  mfaEnabled: yesNo,
  lockedUntil: { ...instantOrNull, description: 'Until when logins are refused.' },
  disabled: yesNo,
  lastLoginAt: instantOrNull,
  createdAt: instant,
  updatedAt: instant,
})

const session = record<ReturnType<typeof sessionRecord>>({
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

const login = record<ReturnType<typeof loginResponse>>({
  accessToken: text,
  refreshToken: text,
  expiresIn,
  tokenType,
  user: record<ReturnType<typeof loginResponse>['user']>({
    id: uuid,
    email: { ...text, format: 'email' },
    username: text,
    role: text,
  }),
})

const refresh = record<Required<ReturnType<typeof refreshResponse>>>(
  {
    accessToken: text,
    expiresIn,
    tokenType,
    refreshToken: { ...text, description: 'Only with `REFRESH_ROTATION=on`.' },
  },
  ['refreshToken']
)

const probe = record<Probe>({
  status: { type: 'string', enum: ['ok', 'unavailable'] },
  driver: { ...text, description: 'What is connected to.', example: 'database' },
  latencyMs: { type: 'number', minimum: 0 },
})

const activity = record({
  occurredAt: instant,
  action: { ...text, example: 'user.signed_in' },
  outcome: { ...text, example: 'success' },
  ip: textOrNull,
  userAgent: textOrNull,
  details: { type: 'object', additionalProperties: true },
})

const auditEvent = record<AuditRecord>({
  id: { ...text, example: '1042' },
  occurredAt: instant,
  action: { ...text, example: 'login.succeeded' },
  outcome: { type: 'string', enum: ['success', 'failure'] },
  actor: {
    ...text,
    description: '`user:<id>`, `cli:<os user>`, `system` or `anonymous`.',
    example: `user:${USER_ID}`,
  },
  actorId: { ...textOrNull, example: USER_ID },
  targetId: { ...textOrNull, example: USER_ID },
  ip: textOrNull,
  userAgent: textOrNull,
  details: { type: 'object', additionalProperties: true },
})

const profileExport = record({
  exportedAt: instant,
  account: ref('User'),
  sessions: listOf(ref('Session')),
  identities: listOf(
    record({
      provider: { ...text, example: 'google' },
      issuer: { ...text, example: 'https://accounts.google.com' },
      subject: { ...text, example: '110169484474386276334' },
      email: textOrNull,
      linkedAt: instant,
      lastUsedAt: instant,
    })
  ),
  knownDevices: listOf(
    record({
      fingerprint: { ...text, description: 'A hash of how the device is known.' },
      firstSeenAt: instant,
    })
  ),
  mails: listOf(
    record({
      kind: { ...text, example: 'password_changed' },
      recipient: { ...text, example: 'ada@example.org' },
      status: { ...text, example: 'sent' },
      createdAt: instant,
      sentAt: instantOrNull,
    })
  ),
  activity: listOf(activity),
})

const fieldError = record({
  field: { ...text, example: 'email' },
  rule: { ...text, example: 'email' },
  message: { ...text, example: 'The email field must be a valid email address' },
})

const error = record(
  {
    statusCode: { type: 'integer', minimum: 400, maximum: 599, example: 404 },
    error: { ...text, description: 'Reason phrase of the status.', example: 'Not Found' },
    message: { ...text, example: 'Resource not found' },
    code: { ...text, description: 'For programs to decide on.', example: 'E_NOT_FOUND' },
    requestId: { ...text, description: 'Also in `X-Request-Id` and in the log.' },
    errors: { ...listOf(fieldError), description: 'What was wrong with which field.' },
    attemptsRemaining: { ...count, description: 'Logins left before the account is locked.' },
    resetToken: { type: 'string', description: 'Replaces a password that has to be changed.' },
    mfaToken: { ...text, description: 'For `POST /auth/mfa/verify`.' },
    expiresIn: { ...count, description: 'Seconds for which the token beside it is good.' },
  },
  ['errors', 'attemptsRemaining', 'resetToken', 'mfaToken', 'expiresIn']
)

/** Named in the document, referred to with `ref`. */
export const records: Record<string, Schema> = {
  User: user,
  Session: session,
  LoginResponse: login,
  RefreshResponse: refresh,
  AuditEvent: auditEvent,
  AccountExport: profileExport,
  Probe: probe,
  Error: error,
}
