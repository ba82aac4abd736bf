import type { I18n } from '@adonisjs/i18n'
import { listAuditActions, listAuditEventsAfter } from '#audit/trail/query'
import { eventLines } from '#transformers/admin/event_line'
import { actionTitle } from '#transformers/admin/event_titles'
import { filterChips } from '#pages/filter_chips'
import { readQuery, filterOf, fieldsOf, FAILED } from './audit_filter.ts'

const PAGE_SIZE = 40

export async function auditPage(i18n: I18n, input: Record<string, string>) {
  const given = await readQuery(input)
  const query = given ?? {}
  const page = { after: query.after ?? undefined, limit: PAGE_SIZE }
  const [{ events, hasMore }, actions] = await Promise.all([
    listAuditEventsAfter(await filterOf(query), page),
    listAuditActions(),
  ])
  const choices = filterChoices(i18n, actions)
  const values = fieldsOf(input)
  return {
    form: { input: values, errors: {} },
    lines: await eventLines(i18n, events),
    ...choices,
    chips: given ? chipsOf(i18n, choices, values) : [],
    verdict: null,
    hasInvalidFilter: given === null,
    isFirst: !query.after,
    isFiltered: Object.entries(query).some(([name, value]) => name !== 'after' && value),
    next: hasMore ? nextPage(input, events.at(-1)!.id) : null,
  }
}

function filterChoices(i18n: I18n, actions: string[]) {
  return {
    options: [
      { value: '', text: i18n.t('common.any') },
      { value: FAILED, text: i18n.t('console.audit.failed_sign_ins') },
      ...actions.map((action) => ({ value: action, text: actionTitle(i18n, action) })),
    ],
    outcomes: [
      { value: 'success', text: i18n.t('console.audit.success') },
      { value: 'failure', text: i18n.t('console.audit.failure') },
    ],
  }
}

type Choices = ReturnType<typeof filterChoices>

function chipsOf(i18n: I18n, { options, outcomes }: Choices, values: Record<string, unknown>) {
  const fields = {
    action: { label: 'console.audit.event', options },
    outcome: { label: 'console.audit.outcome', options: outcomes },
    from: { label: 'console.audit.from_utc' },
    until: { label: 'console.audit.until_utc' },
    ip: { label: 'console.audit.ip' },
  }
  const without = (name: string) => auditPath({ ...values, [name]: null, after: null })
  return filterChips(i18n, fields, { values, without })
}

function auditPath(values: Record<string, unknown>) {
  const given = Object.entries(values).filter(([, value]) => value) as [string, string][]
  return given.length > 0 ? `/admin/audit?${new URLSearchParams(given)}` : '/admin/audit'
}

function nextPage(input: Record<string, string>, after: string) {
  return `/admin/audit?${new URLSearchParams({ ...input, after })}`
}
