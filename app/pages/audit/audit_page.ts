import type { I18n } from '@adonisjs/i18n'
import { listAuditActions, listAuditEventsAfter } from '#audit/trail/query'
import { eventLines } from '#transformers/admin/event_line'
import { actionTitle } from '#transformers/admin/event_titles'
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
  const titles = actions.map((action) => ({ value: action, text: actionTitle(i18n, action) }))
  return {
    form: { input: fieldsOf(input), errors: {} },
    lines: await eventLines(i18n, events),
    options: [
      { value: '', text: i18n.t('common.any') },
      { value: FAILED, text: i18n.t('console.audit.failed_sign_ins') },
      ...titles,
    ],
    outcomes: [
      { value: 'success', text: i18n.t('console.audit.success') },
      { value: 'failure', text: i18n.t('console.audit.failure') },
    ],
    verdict: null,
    hasInvalidFilter: given === null,
    isFirst: !query.after,
    isFiltered: Object.entries(query).some(([name, value]) => name !== 'after' && value),
    next: hasMore ? nextPage(input, events.at(-1)!.id) : null,
  }
}

function nextPage(input: Record<string, string>, after: string) {
  return `/admin/audit?${new URLSearchParams({ ...input, after })}`
}
