/** Views whose texts are not yet messages. The list only ever gets shorter. */
export const PENDING_VIEWS: string[] = [
  'admin/audit',
  'admin/audit/filters',
  'admin/audit/row',
  'admin/audit/table',
  'admin/audit/verdict',
]
