import db from '@adonisjs/lucid/services/db'

/** Steps of the first run that no other table records. */
export type ChecklistMark = 'docs_opened_at' | 'checklist_dismissed_at'

export async function checklistMarks() {
  const row = await db.from('installation').where('id', 1).first()
  return {
    hasOpenedDocs: Boolean(row?.docs_opened_at),
    isDismissed: Boolean(row?.checklist_dismissed_at),
    skipped: new Set<string>(row?.skipped_steps?.split(',') ?? []),
  }
}

/** The row may be missing when a command created the first administrator. */
export async function markChecklist(mark: ChecklistMark) {
  const row = { id: 1, [mark]: Date.now() }
  await db.knexQuery().insert(row).into('installation').onConflict('id').merge([mark])
}

/** Uses one statement, so that no step is lost when two administrators skip at the same time. */
export async function skipStep(step: string) {
  await db.knexQuery().insert({ id: 1 }).into('installation').onConflict('id').ignore()
  await db.rawQuery(
    `UPDATE installation SET skipped_steps = COALESCE(skipped_steps, ',') || ?
     WHERE id = 1 AND COALESCE(skipped_steps, '') NOT LIKE ?`,
    [`${step},`, `%,${step},%`]
  )
}
