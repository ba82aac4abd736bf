/** Where the words of a field do not say what it holds. */
const FIELDS: Record<string, string> = {
  attemptsRemaining: 'Attempts left',
  email: 'E-mail',
  emailVerified: 'E-mail verified',
  endedSessions: 'Sessions ended',
  from: 'Format',
  isFirst: 'First administrator',
  kid: 'Key',
  locale: 'Language',
  mfa: 'Second factor',
  mustChange: 'To be changed at the next sign-in',
  method: 'By',
  removedMfa: 'Second factor removed',
  removedPasskeys: 'Passkeys removed',
  username: 'Name',
  withHashes: 'With password hashes',
}

/** Values that stand for a sentence, by field and value. */
const VALUES = new Map([
  ['mfa true', 'used'],
  ['mfa false', 'not set up'],
  ['reason code', 'wrong code'],
  ['reason denied', 'the provider said no'],
  ['reason disabled', 'the account is disabled'],
  ['reason email_missing', 'the provider told no e-mail'],
  ['reason identity_conflict', 'the e-mail belongs to an account that is not linked'],
  ['reason identity_taken', 'linked to another account'],
  ['reason locked', 'the account is locked'],
  ['reason passkey', 'the passkey did not verify'],
  ['reason password', 'wrong password'],
  ['reason state', 'not begun here, or used before'],
  ['reason unverified', 'the e-mail is not verified'],
  ['reason unverified_answer', 'the answer of the provider did not verify'],
])

/** “Session id” of `sessionId`. */
export function fieldTitle(field: string) {
  const words = field.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`)
  return FIELDS[field] ?? capitalize(words.replaceAll('_', ' '))
}

/** A value of the details that is a change: what was, and what is. */
export function isChange(value: unknown): value is { before: unknown; after: unknown } {
  return value !== null && typeof value === 'object' && 'after' in value
}

const TIMESTAMP = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/** A value of a field as text. */
export function display(field: string, value: unknown): string {
  const sentence = VALUES.get(`${field} ${value}`)
  if (sentence) return sentence
  if (value === null || value === '') return 'nothing'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'object') return displayAll(value)
  if (field === 'kind') return String(value).replaceAll('_', ' ')
  return TIMESTAMP.test(String(value))
    ? `${String(value).slice(0, 16).replace('T', ' ')} UTC`
    : String(value)
}

/** “Role: Admin, mfa: off”; a filter that is empty finds all. */
function displayAll(values: object) {
  const given = Object.entries(values).filter(([, value]) => value !== null)
  const texts = given.map(([field, value]) =>
    Array.isArray(values) ? display('', value) : `${fieldTitle(field)}: ${display('', value)}`
  )
  return texts.join(', ') || 'all'
}

export function capitalize(text: string) {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
