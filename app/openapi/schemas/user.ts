import type {
  SingleRecord,
  SingleRecordForAdmins,
  UserRecord,
  UserRecordForAdmins,
} from '#transformers/user_transformer'
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
    description: 'Becomes `email` through the link mailed to it; lapses after 24 hours.',
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

const metadata = {
  metadata: {
    type: 'object',
    additionalProperties: true,
    example: { theme: 'dark' },
    description: 'Written by the owner and administrators.',
  },
  appMetadata: {
    type: 'object',
    additionalProperties: true,
    example: { plan: 'pro' },
    description: 'Written by administrators. Not shown to the token of an application.',
  },
} satisfies Record<string, Schema>

export const user = record<SingleRecord>({ ...fields, ...metadata }, ['appMetadata'])

const { email, emailVerified, username, handle, nickname, role, avatar, updatedAt } = fields
const covered = { email, emailVerified, username, handle, nickname, role, avatar, updatedAt }

/** The fields that scopes of an identity show. */
export const userForApplication: Schema = {
  type: 'object',
  properties: { id: fields.id, kind: fields.kind, ...covered },
  required: ['id', 'kind'],
}

const lockKind: Schema = {
  type: 'string',
  enum: ['failures', 'administrator', null],
  nullable: true,
  example: null,
  description: 'Who locked the account; null while it is not locked.',
}

export const listedUser = record<UserRecordForAdmins>({ ...fields, lockKind })

export const userForAdmins = record<SingleRecordForAdmins>({ ...fields, lockKind, ...metadata }, [
  'appMetadata',
])

/** The user after an operation. */
export function userExample(changes: Partial<SingleRecord>) {
  return { ...(exampleOf(user, {}) as SingleRecord), ...changes }
}

export function userForAdminsExample(changes: Partial<SingleRecordForAdmins>) {
  return { lockKind: null, ...userExample({}), ...changes }
}
