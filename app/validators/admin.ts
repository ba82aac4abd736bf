import vine from '@vinejs/vine'
import limits from '#config/limits'
import { SCOPES } from '#auth/api_keys/scopes'
import { CONSOLE_ORDERS, sortsOf } from '#users/list/order'
import { USER_STATUSES } from '#users/list/status'
import { ROLES } from '#models/roles'
import { USER_KINDS } from '#models/user'
import { displayName, email, handle, keptRole, opaqueToken, text } from './rules.ts'
import { groupFilter } from './groups.ts'
import { newPassword } from './password_rules.ts'
import { utcTime } from './utc_time.ts'

export const setupValidator = vine.create({
  token: opaqueToken(),
  email: email(),
  username: displayName(),
  password: newPassword(),
})

const cursor = () => vine.string().maxLength(limits.cursor).nullable().optional()

export const PAGE_SIZES = [25, 50, 100]

export const userListValidator = vine.create({
  search: text(limits.search).trim().nullable().optional(),
  role: text(32).nullable().optional(),
  kind: vine.enum(USER_KINDS).nullable().optional(),
  status: vine.enum(USER_STATUSES).nullable().optional(),
  mfa: vine
    .enum(['yes', 'no'] as const)
    .nullable()
    .optional(),
  verified: vine
    .enum(['yes', 'no'] as const)
    .nullable()
    .optional(),
  provider: text(64).nullable().optional(),
  group: groupFilter(),
  createdFrom: utcTime().nullable().optional(),
  lastLoginFrom: utcTime().nullable().optional(),
  inactive: vine.number().withoutDecimals().range([1, 36_500]).nullable().optional(),
  sort: vine
    .enum(sortsOf(Object.keys(CONSOLE_ORDERS)))
    .nullable()
    .optional(),
  after: cursor(),
  before: cursor(),
  limit: vine.number().in(PAGE_SIZES).nullable().optional(),
  at: vine.number().withoutDecimals().range([1, 100_000_000]).nullable().optional(),
})

export const searchValidator = vine.create({
  q: text(limits.search).trim().nullable().optional(),
})

const role = () => vine.enum(ROLES)

export const createUserFormValidator = vine.create({
  email: email(),
  username: displayName(),
  nickname: displayName().nullable().optional(),
  role: role(),
  emailVerified: vine.accepted().optional().transform(Boolean),
  password: newPassword(),
})

export const createServiceAccountFormValidator = vine.create({
  username: displayName(),
  nickname: displayName().nullable().optional(),
  role: role(),
})

export const inviteValidator = vine.create({
  email: email(),
  username: displayName(),
  role: role(),
})

const lockMinutes = () => vine.number().withoutDecimals().range([1, 525_600])

const count = () =>
  vine.number().withoutDecimals().range([0, limits.bulkUsers]).nullable().optional()

export const BULK_ACTIONS = [
  'lock',
  'unlock',
  'disable',
  'delete',
  'end-sessions',
  'add-to-group',
] as const

/** The other fields carry a run over several batches. */
export const bulkValidator = vine.create({
  action: vine.enum(BULK_ACTIONS),
  all: vine.accepted().optional().transform(Boolean),
  ids: vine
    .array(vine.string().uuid().toLowerCase())
    .minLength(1)
    .maxLength(100)
    .optional()
    .requiredWhen((field) => !field.parent.all),
  list: text(8_000).nullable().optional(),
  fingerprint: opaqueToken().nullable().optional(),
  after: vine.string().uuid().toLowerCase().nullable().optional(),
  done: count(),
  left: count(),
  minutes: lockMinutes().nullable().optional(),
  reason: text(limits.reason).trim().nullable().optional(),
  group: groupFilter().nullable(),
})

/** A form that was saved by an earlier release has no such field. */
const keptHandle = () =>
  handle()
    .optional()
    .requiredWhen((field) => field.parent.handle !== undefined)

export const updateUserFormValidator = vine.create({
  email: email(),
  username: displayName(),
  handle: keptHandle(),
  nickname: displayName().nullable(),
  role: keptRole(),
  emailVerified: vine.accepted().optional().transform(Boolean),
})

export const updateServiceAccountFormValidator = vine.create({
  username: displayName(),
  handle: keptHandle(),
  nickname: displayName().nullable(),
  role: keptRole(),
})

export const createKeyFormValidator = vine.create({
  name: displayName(),
  scopes: vine.array(vine.enum(SCOPES)).minLength(1).maxLength(SCOPES.length).distinct(),
  days: vine.number().withoutDecimals().range([1, 366]),
})

export const lockValidator = vine.create({
  minutes: lockMinutes(),
})

export const disableValidator = vine.create({
  reason: text(limits.reason).trim().nullable().optional(),
})

export const auditFilterFormValidator = vine.create({
  action: text(64).nullable().optional(),
  outcome: vine
    .enum(['success', 'failure'] as const)
    .nullable()
    .optional(),
  account: text(limits.search).trim().nullable().optional(),
  ip: text(45).trim().nullable().optional(),
  from: utcTime().nullable().optional(),
  until: utcTime().nullable().optional(),
  after: vine.string().uuid().toLowerCase().nullable().optional(),
})
