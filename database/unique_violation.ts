const UNIQUE_VIOLATIONS = new Set([
  '23505',
  'SQLITE_CONSTRAINT_UNIQUE',
  'SQLITE_CONSTRAINT_PRIMARYKEY',
])

/** Whether the database refused a row because one like it exists. */
export function isUniqueViolation(error: { code?: string }) {
  return UNIQUE_VIOLATIONS.has(error.code ?? '')
}
