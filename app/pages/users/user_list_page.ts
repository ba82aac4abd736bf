import { countUsers } from '#users/list/count'
import { selectUsers, type UserSelection } from '#users/list/filter'
import { listUsersByCursor } from '#users/list/list_users'
import { providerNames } from '#auth/external/providers'
import { isInvited, isUnused } from '#users/invitations'
import limits from '#config/limits'
import { ROLES } from '#models/roles'
import { formatNumber } from '#i18n/format'
import type { I18n } from '@adonisjs/i18n'
import { filterChips } from '#pages/filter_chips'
import {
  csvUrl,
  firstRow,
  pageLinks,
  pageSizes,
  sortLinks,
  withoutFilter,
} from './user_list_url.ts'
import { formatUserListQuery, pageOf, type UserListQuery } from './user_list_query.ts'
import { fieldsOf, filterOf, isFiltered } from './user_list_filter.ts'

interface Reader {
  i18n: I18n
  userId: string
}

export async function userListPage(query: UserListQuery, { i18n, userId }: Reader) {
  const selection = await selectUsers(filterOf(query))
  const [{ users, ...cursors }, total] = await Promise.all([
    listUsersByCursor(selection, pageOf(query)),
    countUsers(selection, limits.bulkUsers + 1),
  ])
  const page = { ...cursors, length: users.length }
  const choices = filterChoices(i18n)
  const matching = total > users.length ? await bulkCountOf(selection, { total, userId }) : null
  return {
    users,
    links: pageLinks(query, page),
    summary: summaryOf(i18n, { first: firstRow(query, page), length: users.length, total }),
    sizes: pageSizes(query),
    sorts: sortLinks(query),
    csv: csvUrl(query),
    list: formatUserListQuery(query),
    form: { input: fieldsOf(query), errors: {} },
    isInvited,
    isUnused,
    isFiltered: isFiltered(query),
    hasFilters: isFiltered(query) || total > 1,
    matching: matching && matchingText(i18n, matching, isFiltered(query)),
    sort: query.sort,
    limit: query.limit,
    roles: ROLES,
    choices,
    chips: filterChips(i18n, filterFields(choices), {
      values: fieldsOf(query),
      without: (name) => withoutFilter(query, name),
    }),
  }
}

function filterFields(choices: ReturnType<typeof filterChoices>) {
  return {
    status: { label: 'console.users.status', options: choices.status },
    role: { label: 'console.users.role' },
    kind: { label: 'console.users.kind', options: choices.kind },
    mfa: { label: 'console.users.mfa', options: choices.mfa },
    verified: { label: 'console.users.email', options: choices.verified },
    provider: { label: 'console.users.provider', options: choices.provider },
    group: { label: 'console.users.group' },
    createdFrom: { label: 'console.users.created_since' },
    lastLoginFrom: { label: 'console.users.active_since' },
    inactive: { label: 'console.users.inactive' },
  }
}

function filterChoices(i18n: I18n) {
  const choice = (value: string, key: string) => ({ value, text: i18n.t(key) })
  return {
    status: [
      choice('active', 'console.users.active'),
      choice('locked', 'console.users.locked'),
      choice('disabled', 'console.users.disabled'),
      choice('invited', 'console.users.invited'),
    ],
    kind: [choice('person', 'console.users.people'), choice('service', 'console.users.services')],
    mfa: [choice('yes', 'console.users.on'), choice('no', 'console.users.off')],
    verified: [choice('yes', 'console.users.verified'), choice('no', 'console.users.unverified')],
    provider: [
      choice('password', 'console.users.password'),
      ...providerNames().map((name) => ({ value: name, text: name })),
    ],
  }
}

/** Leaves out the acting administrator. @returns null above the limit of a bulk action */
async function bulkCountOf(
  selection: UserSelection,
  { total, userId }: { total: number; userId: string }
): Promise<BulkCount | null> {
  if (total > limits.bulkUsers) return null
  const isReaderListed = Boolean(await selection.query().where('id', userId).first())
  return { count: isReaderListed ? total - 1 : total, isReaderListed }
}

function matchingText(i18n: I18n, matching: BulkCount, isFilterSet: boolean) {
  return i18n.t('console.users.all_matching', {
    count: formatNumber(i18n.locale, matching.count),
    filtered: String(isFilterSet),
    own: String(matching.isReaderListed),
  })
}

interface BulkCount {
  count: number
  isReaderListed: boolean
}

interface Rows {
  /** Null if only a cursor names the page. */
  first: number | null
  length: number
  total: number
}

/** Returns “26–50 of 348”, or “348 users” on a page that shows them all. */
function summaryOf(i18n: I18n, { first, length, total }: Rows) {
  const format = (value: number) => formatNumber(i18n.locale, value)
  const isMore = total > limits.bulkUsers
  const count = format(isMore ? limits.bulkUsers : total)
  const values = { total, count, more: String(isMore) }
  if (first === null || length === total) return i18n.t('console.users.total', values)
  /** Users may have been deleted since the previous page. */
  const from = total > limits.bulkUsers ? first : Math.max(1, Math.min(first, total - length + 1))
  const range = { from: format(from), to: format(from + length - 1) }
  return i18n.t('console.users.range', { ...values, ...range })
}
