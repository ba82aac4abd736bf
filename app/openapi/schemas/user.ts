import type { UserRecord } from '#transformers/user_transformer'
import { exampleOf } from '../examples.ts'
import { record } from '../schema.ts'
import { instant, instantOrNull, text, textOrNull, uuid, yesNo } from './fields.ts'

export const user = record<UserRecord>({
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

/** The user of the examples after an operation has changed them. */
export function userExample(changes: Partial<UserRecord>) {
  return { ...(exampleOf(user, {}) as UserRecord), ...changes }
}
