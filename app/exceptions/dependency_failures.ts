/*
 | How a database or store that is down, overloaded or out of space makes itself known.
 | Such a failure is answered with 503 and a time to come back, never with a refusal that
 | a client would take as the truth about its token.
 */

const SYSTEM_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** Classes of SQLSTATE: connection, insufficient resources, operator intervention, system error; lock time-out. */
const SQL_STATE = /^(08|53|57|58)[0-9A-Z]{3}$|^(55P03|40001|40P01|25006)$/

const SQLITE_CODE = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY)/

export function isDependencyDown(error: any): boolean {
  if (!error) return false
  const { code, name, message = '' } = error
  if (typeof code === 'string') {
    if (SYSTEM_CODES.has(code) || SQL_STATE.test(code) || SQLITE_CODE.test(code)) return true
  }
  return (
    name === 'KnexTimeoutError' ||
    /Connection terminated|timeout exceeded when trying to connect/i.test(message)
  )
}
