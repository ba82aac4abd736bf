import type { UserKind } from '#models/user'
import { whereInactiveScan, whereActive, whereInactive } from './activity.ts'
import { whereStatus, type UserStatus } from './status.ts'
import type { Condition } from './few.ts'
import type { UserFilter } from './filter.ts'

/** Literals, because the planner uses the index of service accounts only without parameters. */
const IS_OF_KIND: Record<UserKind, string> = {
  person: "kind = 'person'",
  service: "kind = 'service'",
}

/** Returns rare conditions first. */
export function conditionsOf(filter: UserFilter, now: number): Condition[] {
  const { role, kind, status, mfa, verified, provider, ...times } = filter
  return [
    ...(status ? [hasStatus(status, now)] : []),
    ...(kind ? [isOfKind(kind)] : []),
    ...(role ? [hasRole(role)] : []),
    ...(provider ? [isOfProvider(provider)] : []),
    ...timesOf(times),
    ...(verified === undefined ? [] : [isVerified(verified)]),
    ...(mfa ? [hasFactor(mfa === 'yes')] : []),
  ]
}

function hasRole(role: string): Condition {
  return {
    where: (users) => users.where('role', role),
    walk: (users) => users.whereRaw(`COALESCE(role, '') = ?`, [role]),
    orders: ['createdAt', 'role'],
    isRare: true,
  }
}

function isOfKind(kind: UserKind): Condition {
  return { where: (users) => users.whereRaw(IS_OF_KIND[kind]), isRare: kind === 'service' }
}

function hasStatus(status: UserStatus, now: number): Condition {
  return { where: (users) => whereStatus(users, status, now), isRare: status !== 'active' }
}

function hasFactor(isEnabled: boolean): Condition {
  return {
    where: (users) => users.where('mfa_enabled', isEnabled),
    walk: (users) => users.whereRaw('COALESCE(mfa_enabled, ?) = ?', [!isEnabled, isEnabled]),
    orders: ['createdAt', 'mfaEnabled'],
    isRare: true,
  }
}

function isVerified(isProved: boolean): Condition {
  if (isProved) return { where: (users) => users.whereNotNull('email_verified_at') }
  return { where: (users) => users.whereNull('email_verified_at'), isRare: true }
}

/** The index covers the expression and not the column. */
function isOfProvider(given: string): Condition {
  const provider = given === 'password' ? null : given
  return {
    where: (users) => users.whereRaw(`COALESCE(provider, '') = ?`, [provider ?? '']),
    walk: (users) =>
      provider === null ? users.whereNull('provider') : users.where('provider', provider),
    orders: ['provider'],
    isRare: true,
  }
}

type Times = Pick<UserFilter, 'createdFrom' | 'lastLoginFrom' | 'inactiveSince'>

function timesOf({ createdFrom, lastLoginFrom, inactiveSince }: Times): Condition[] {
  const conditions: Condition[] = []
  if (createdFrom !== undefined)
    conditions.push({
      where: (users) => users.where('created_at', '>=', createdFrom),
      isRare: true,
    })
  if (lastLoginFrom !== undefined)
    conditions.push({ where: (users) => whereActive(users, lastLoginFrom), isRare: true })
  if (inactiveSince !== undefined)
    conditions.push({
      where: (users) => whereInactive(users, inactiveSince),
      walk: (users) => whereInactiveScan(users, inactiveSince),
      isRare: true,
    })
  return conditions
}
