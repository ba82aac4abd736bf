import vine from '@vinejs/vine'
import limits from '#config/limits'
import { API_ORDERS, sortsOf } from '#users/list/order'
import { USER_STATUSES } from '#users/list/status'
import { ROLES } from '#models/roles'
import { USER_KINDS } from '#models/user'
import { ownFields, reauthentication } from './auth.ts'
import { groupFilter } from './groups.ts'
import { displayName, email, handle, instant, keptRole, text } from './rules.ts'
import { newUserPassword } from './password_rules.ts'

/** A larger limit is reduced to this one; a limit below 1 is refused. */
export const MAX_LIMIT = 100

const page = () => vine.number().withoutDecimals().min(1).max(10_000_000).optional()

const limit = () =>
  vine
    .number()
    .withoutDecimals()
    .min(1)
    .transform((value) => Math.min(value, MAX_LIMIT))
    .optional()

const filters = {
  search: text(limits.search).trim().minLength(1).optional(),
  role: vine.enum(ROLES).optional(),
  kind: vine.enum(USER_KINDS).optional(),
  status: vine.enum(USER_STATUSES).optional(),
  mfa: vine.enum(['yes', 'no'] as const).optional(),
  createdFrom: instant().optional(),
  lastLoginFrom: instant().optional(),
  group: groupFilter(),
  sort: vine.enum(sortsOf(API_ORDERS)).optional(),
}

/** `page` or, at the same cost at any depth, `cursor`. */
export const activityValidator = vine.create({
  page: page(),
  limit: limit(),
  cursor: vine.string().uuid().toLowerCase().optional(),
})

export const listUsersValidator = vine.create({ page: page(), limit: limit(), ...filters })

export const listUsersAfterValidator = vine.create({
  cursor: vine.string().minLength(1).maxLength(limits.cursor).optional(),
  limit: limit(),
  ...filters,
})

/** An e-mail or password in the body is ignored. */
export const createServiceAccountValidator = vine.create({
  kind: vine.literal('service'),
  username: displayName(),
  handle: handle().optional(),
  nickname: displayName().nullable().optional(),
  role: vine.enum(ROLES).optional(),
  ...reauthentication,
})

export const createUserValidator = vine.create({
  kind: vine.enum(['person']).optional(),
  ...reauthentication,
  email: email(),
  username: displayName().optional(),
  handle: handle().optional(),
  nickname: displayName().nullable().optional(),
  role: vine.enum(ROLES).optional(),
  invite: vine.boolean().optional(),
  password: newUserPassword()
    .optional()
    .requiredWhen((field) => !vine.helpers.isTrue(field.parent.invite)),
  mustChangePassword: vine.boolean().optional(),
  emailVerified: vine.boolean().optional(),
})

/** The role is read only to refuse a change of it. */
export const updateOwnUserValidator = vine.create({
  ...ownFields,
  role: vine.string().optional(),
})

export const updateUserValidator = vine.create({
  ...ownFields,
  role: keptRole().optional(),
  disabled: vine.boolean().optional(),
  disabledReason: text(limits.reason).trim().nullable().optional(),
  emailVerified: vine.boolean().optional(),
})

/** Other members of a record that is sent back are ignored. */
export const updateServiceAccountValidator = vine.create({
  username: ownFields.username,
  handle: ownFields.handle,
  nickname: ownFields.nickname,
  metadata: ownFields.metadata,
  appMetadata: ownFields.appMetadata,
  role: keptRole().optional(),
  disabled: vine.boolean().optional(),
  disabledReason: text(limits.reason).trim().nullable().optional(),
  ...reauthentication,
})

export const lockUserValidator = vine.create({ ...reauthentication, until: instant().optional() })

/** `page` or, at the same cost at any depth, `cursor`. */
export const auditFilterValidator = vine.create({
  page: page(),
  limit: limit(),
  cursor: vine.string().uuid().toLowerCase().optional(),
  actor: text(128).minLength(1).optional(),
  target: vine.string().uuid().toLowerCase().optional(),
  action: text(64).minLength(1).optional(),
  outcome: vine.enum(['success', 'failure']).optional(),
  ip: text(45).minLength(2).optional(),
  from: instant().optional(),
  to: instant().optional(),
})
