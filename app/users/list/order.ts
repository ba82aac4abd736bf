import type User from '#models/user'

/* Each order has an index (migrations 0001, 0010 and 0045). SQLite and Postgres sort NULL differently: replace it. */

type OrderValue = string | number | boolean

interface Order {
  expression: string
  type: 'string' | 'number' | 'boolean'
  /** The value of the expression for one user, as cursors store it. */
  value(user: User): OrderValue
}

const ORDERS = {
  createdAt: {
    expression: 'created_at',
    type: 'number',
    value: (user) => user.createdAt.toMillis(),
  },
  email: { expression: 'email', type: 'string', value: (user) => user.email },
  username: { expression: 'username', type: 'string', value: (user) => user.username },
  handle: { expression: 'handle', type: 'string', value: (user) => user.handle },
  role: { expression: 'role', type: 'string', value: (user) => user.role },
  lastLoginAt: {
    expression: 'COALESCE(last_login_at, 0)',
    type: 'number',
    value: (user) => user.lastLoginAt?.toMillis() ?? 0,
  },
  disabledAt: {
    expression: 'COALESCE(disabled_at, 0)',
    type: 'number',
    value: (user) => user.disabledAt?.toMillis() ?? 0,
  },
  mfaEnabled: {
    expression: 'mfa_enabled',
    type: 'boolean',
    value: (user) => Boolean(user.mfaEnabled),
  },
  provider: {
    expression: "COALESCE(provider, '')",
    type: 'string',
    value: (user) => user.provider ?? '',
  },
} satisfies Record<string, Order>

export type UserOrder = keyof typeof ORDERS

export const USER_ORDERS: Record<UserOrder, Order> = ORDERS

export const API_ORDERS = [
  'createdAt',
  'email',
  'username',
  'handle',
  'role',
  'lastLoginAt',
] as const

export const CONSOLE_ORDERS = {
  email: 'email',
  name: 'username',
  handle: 'handle',
  role: 'role',
  status: 'disabledAt',
  mfa: 'mfaEnabled',
  provider: 'provider',
  seen: 'lastLoginAt',
  created: 'createdAt',
} as const satisfies Record<string, UserOrder>

export function sortsOf(names: readonly string[]) {
  return names.flatMap((name) => [name, `-${name}`])
}

export interface Sort {
  order: UserOrder
  isDescending: boolean
}

export function parseSort(sort = 'createdAt'): Sort {
  return { order: sort.replace(/^-/, '') as UserOrder, isDescending: sort.startsWith('-') }
}
