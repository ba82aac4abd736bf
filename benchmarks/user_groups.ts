import type { JsonRequest, Product } from '../tests/process/product.ts'

/*
 | Groups of `npm run bench:users`: 10,000 of them. Every tenth user is in the first one, which is
 | 100,000 of a million; ten users are in the second one, and every fiftieth user is in 100 others.
 */

const GROUPS = 10_000
const OF_ONE_USER = 100
const COLUMNS = 'id, name, name_key, created_at, updated_at'
const MEMBER_COLUMNS = 'user_id, group_id, added_at'
const PREFIX = '01900000-0000-7000-9000-'

/** How a database writes an id with a number in it, and rows with numbers. */
export interface Dialect {
  id: (prefix: string, number: string) => string
  /** Returns a table of the numbers from `from` up to, but without, `to`. */
  numbers: (name: string, from: number, to: number) => string
  joinedIds: string
}

export const SQLITE: Dialect = {
  id: (prefix, number) => `'${prefix}' || printf('%012x', ${number})`,
  numbers: (name, from, to) =>
    `(WITH RECURSIVE numbers (${name}) AS (SELECT ${from} UNION ALL
       SELECT ${name} + 1 FROM numbers WHERE ${name} < ${to - 1}) SELECT ${name} FROM numbers) AS of_${name}`,
  joinedIds: `group_concat(group_id, ' ')`,
}

export const POSTGRES: Dialect = {
  id: (prefix, number) => `('${prefix}' || lpad(to_hex(${number}), 12, '0'))::uuid`,
  numbers: (name, from, to) => `generate_series(${from}, ${to - 1}) AS of_${name} (${name})`,
  joinedIds: `string_agg(group_id::text, ' ')`,
}

export const USER_PREFIX = '01900000-0000-7000-8000-'

/** Statements in order, for the users from one number to another. */
export function groupStatements(dialect: Dialect, from: number, to: number) {
  const { id, numbers, joinedIds } = dialect
  const user = id(USER_PREFIX, 'n')
  const members = (groupNumber: string, tables: string, which: string) => `
    INSERT INTO group_members (${MEMBER_COLUMNS})
    SELECT ${user}, ${id(PREFIX, groupNumber)}, 1700000000000 + n FROM ${tables} WHERE ${which}`
  const users = numbers('n', from, to)
  const others = `2 + (n / 50 * ${OF_ONE_USER} + k) % ${GROUPS - 2}`
  const groups = `INSERT INTO groups (${COLUMNS})
    SELECT ${id(PREFIX, 'n')}, 'team ' || n, 'team ' || n, 1700000000000, 1700000000000
    FROM ${numbers('n', 0, GROUPS)}`
  return [
    ...(from === 0 ? [groups] : []),
    members('0', users, 'n % 10 = 0'),
    members('1', users, 'n < 10'),
    members(others, `${users} CROSS JOIN ${numbers('k', 0, OF_ONE_USER)}`, 'n % 50 = 11'),
    `UPDATE users SET group_ids = (SELECT ${joinedIds} FROM group_members WHERE user_id = users.id)
     WHERE id IN (SELECT ${user} FROM ${users} WHERE n % 10 = 0 OR n % 50 = 11 OR n < 10)`,
  ]
}

const padded = (number: number) => number.toString(16).padStart(12, '0')
const groupPath = (number: number) => `/groups/${PREFIX}${padded(number)}`
export const userId = (number: number) => `${USER_PREFIX}${padded(number)}`
const FIRST = groupPath(0)

/** Returns the id of the user half way among the users who are in 100 groups. */
const inManyGroups = (size: number) => userId(Math.floor(size / 100) * 50 + 11)

export const GROUP_QUERIES: Record<string, (size: number) => string> = {
  'groups, first page': () => '/groups?limit=100',
  'groups, search': () => '/groups?search=team%2077',
  'group of a tenth': () => FIRST,
  'members of a group of a tenth': () => `${FIRST}/members`,
  'members of a group of a tenth, half way': (size) =>
    `${FIRST}/members?cursor=${userId(Math.floor(size / 2))}`,
  'users of a group of a tenth': () => '/users?group=team%200',
  'users of a group of ten': () => '/users?group=team%201',
  'users of a group of ten, version 2': () => '/api/v2/users?group=team%201&sort=email',
  '100 groups of a user': (size) => `/users/${inManyGroups(size)}/groups`,
}

/** @param client what `addApplication` returned */
export function previewOf(client: string, size: number) {
  return `/oauth-clients/${client}/preview?user=${inManyGroups(size)}`
}

/** An application whose tokens carry groups. @returns its id */
export async function addApplication(product: Product, token: string) {
  const body = {
    name: 'Bench',
    redirectUris: ['https://app.example/cb'],
    kind: 'first_party',
    claims: { teams: 'groups:team' },
  }
  const { status, body: answer } = await product.request('/oauth-clients', { token, body })
  if (status !== 201) throw new Error(`The application: ${status} ${JSON.stringify(answer)}`)
  return answer.id as string
}

type Change = [path: string, request: JsonRequest]

/** Each change is done and undone, so that the next run finds the same state. */
export const GROUP_CHANGES: Record<string, (size: number) => Change[]> = {
  'a member of a group of a tenth added, removed': (size) => {
    const path = `${FIRST}/members/${userId(Math.floor(size / 20) * 10 + 3)}`
    return [
      [path, { method: 'PUT' }],
      [path, { method: 'DELETE' }],
    ]
  },
  'a group of a tenth renamed, twice': () => [
    [FIRST, { method: 'PUT', body: { name: 'team zero' } }],
    [FIRST, { method: 'PUT', body: { name: 'team 0' } }],
  ],
  'one of 100 groups of a user exchanged, twice': (size) => {
    const path = `/users/${inManyGroups(size)}/groups`
    const first = Math.floor(size / 100) * OF_ONE_USER
    const team = (index: number) => `team ${2 + ((first + index) % (GROUPS - 2))}`
    const groups = Array.from({ length: OF_ONE_USER }, (_, index) => team(index))
    const changed = [...groups.slice(1), team(OF_ONE_USER)]
    return [
      [path, { method: 'PUT', body: { groups: changed } }],
      [path, { method: 'PUT', body: { groups } }],
    ]
  },
}
