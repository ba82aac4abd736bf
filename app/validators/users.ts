import vine from '@vinejs/vine'
import { USER_ORDERS, USER_STATUSES } from '#users/list/list_users'
import { ROLES } from '#auth/roles'
import { displayName, email, givenPassword, instant, newPassword, text } from './rules.ts'

/** Larger pages are cut to this, smaller than 1 is refused. */
const LARGEST_PAGE = 100

const page = () => vine.number().withoutDecimals().min(1).max(10_000_000).optional()

const limit = () =>
  vine
    .number()
    .withoutDecimals()
    .min(1)
    .transform((value) => Math.min(value, LARGEST_PAGE))
    .optional()

const filters = {
  search: text(254).trim().minLength(1).optional(),
  role: vine.enum(ROLES).optional(),
  status: vine.enum(USER_STATUSES).optional(),
  sort: vine.enum(USER_ORDERS).optional(),
}

export const pageValidator = vine.create({ page: page(), limit: limit() })

export const listUsersValidator = vine.create({ page: page(), limit: limit(), ...filters })

export const listUsersAfterValidator = vine.create({
  cursor: vine.string().minLength(1).maxLength(1_024).optional(),
  limit: limit(),
  ...filters,
})

export const createUserValidator = vine.create({
  email: email(),
  username: displayName().optional(),
  nickname: displayName().nullable().optional(),
  role: vine.enum(ROLES).optional(),
  invite: vine.boolean().optional(),
  password: newPassword()
    .optional()
    .requiredWhen((field) => field.parent.invite !== true),
})

const ownFields = {
  username: displayName().optional(),
  nickname: displayName().nullable().optional(),
  email: email().optional(),
  currentPassword: givenPassword().optional(),
}

/** What the owner of a user may send; the role is looked at only to refuse another one. */
export const updateOwnUserValidator = vine.create({
  ...ownFields,
  role: vine.string().optional(),
})

export const updateUserValidator = vine.create({
  ...ownFields,
  role: vine.enum(ROLES).optional(),
  disabled: vine.boolean().optional(),
  disabledReason: text(500).trim().nullable().optional(),
  emailVerified: vine.boolean().optional(),
})

export const lockUserValidator = vine.create({ until: instant().optional() })

export const auditFilterValidator = vine.create({
  page: page(),
  limit: limit(),
  actor: text(128).minLength(1).optional(),
  target: vine.string().uuid().optional(),
  action: text(64).minLength(1).optional(),
  outcome: vine.enum(['success', 'failure']).optional(),
  ip: text(45).minLength(2).optional(),
  from: instant().optional(),
  to: instant().optional(),
})
