import type { UserRecord, UserRecordForAdmins } from '#transformers/user_transformer'
import { exampleOf } from '../example_of.ts'
import { record, type Schema } from '../schema.ts'
import { instant, instantOrNull, text, textOrNull, uuid, yesNo } from './fields.ts'

const fields = {
  id: { ...uuid, description: 'UUID v7, the `sub` claim of tokens.' },
  kind: {
    type: 'string',
    enum: ['person', 'service'],
    example: 'person',
    description: 'A service account has no e-mail and no password, and acts by API keys.',
  },
  email: {
    ...textOrNull,
    format: 'email',
    description: 'In its canonical form; null for a service account.',
  },
  emailVerified: yesNo,
  pendingEmail: {
    ...textOrNull,
    format: 'email',
    description: 'Becomes `email` by the link mailed to it within 24 hours; then it lapses.',
  },
  username: text,
  handle: {
    ...text,
    example: 'ada-lovelace',
    description:
      'Unique name that applications get as `preferred_username`: a small letter or digit, then at most 62 of `a-z0-9._-`. It is never given to another account.',
  },
  nickname: textOrNull,
  role: { ...text, description: '`User`, `Admin` or a role of `EXTRA_ROLES`.' },
  avatar: { ...textOrNull, description: 'Path of the picture, or its address at the provider.' },
  provider: { ...textOrNull, description: 'External provider of the identity that was used last.' },
  providerId: { ...textOrNull, description: 'The id of the user at that provider.' },
  mfaEnabled: yesNo,
  lockedUntil: { ...instantOrNull, description: 'Until when logins are refused.' },
  disabled: yesNo,
  lastLoginAt: instantOrNull,
  createdAt: instant,
  updatedAt: instant,
} satisfies Record<keyof UserRecord, Schema>

export const user = record<UserRecord>(fields)

const lockKind: Schema = {
  type: 'string',
  enum: ['failures', 'administrator', null],
  nullable: true,
  example: null,
  description: 'Who locked the account; null while it is not locked.',
}

export const userForAdmins = record<UserRecordForAdmins>({ ...fields, lockKind })

/** The user after an operation. */
export function userExample(changes: Partial<UserRecord>) {
  return { ...(exampleOf(user, {}) as UserRecord), ...changes }
}

export function userForAdminsExample(changes: Partial<UserRecordForAdmins>) {
  return { lockKind: null, ...userExample({}), ...changes }
}
