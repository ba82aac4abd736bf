/** SQLSTATE codes for unsuitable values and violated constraints, and the same codes of SQLite. */
const DATA_ERROR = /^(22|23)[0-9A-Z]{3}$|^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG|RANGE)/

export type DataError = Error & { code: string; column?: string }

export function isDataError(error: any): error is DataError {
  return DATA_ERROR.test(error?.code ?? '')
}

export function columnOf({ column, message }: DataError) {
  return column ?? /constraint failed: \w+\.(\w+)$/.exec(message)?.[1] ?? null
}
