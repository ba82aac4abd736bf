/*
 | What the console calls actions, fields and values of the audit trail. The trail keeps
 | names for machines, such as `login.succeeded`; people read sentences.
 */

/** Where the words of the action itself do not say what happened. */
const ACTIONS: Record<string, string> = {
  'access.denied': 'Access refused',
  'account.exported': 'Own data exported',
  'account.invited': 'Invitation sent',
  'account.updated': 'Details changed',
  'accounts.exported': 'User list exported',
  'accounts.imported': 'Users imported',
  'avatar.changed': 'Picture changed',
  'avatar.removed': 'Picture removed',
  'email.changed': 'E-mail changed',
  'email.verified': 'E-mail verified',
  'login.challenged': 'Code asked for',
  'login.failed': 'Sign-in failed',
  'login.refused': 'Sign-in refused',
  'login.succeeded': 'Signed in',
  'mfa.backup_codes_replaced': 'Backup codes replaced',
  'mfa.incorrect_code': 'Wrong code given',
  'password.incorrect': 'Wrong password given',
  'refresh.reused': 'Refresh token used twice',
  'session.denied': 'Reported: “It was not me”',
  'sessions.ended': 'All sessions ended',
  'signing_key.started': 'Signing key put in use at once',
}

const FIELDS: Record<string, string> = {
  attemptsRemaining: 'Attempts left',
  email: 'E-mail',
  emailVerified: 'E-mail verified',
  endedSessions: 'Sessions ended',
  from: 'Format',
  isFirst: 'First administrator',
  kid: 'Key',
  kind: 'Mail',
  mfa: 'Second factor',
  mustChange: 'To be changed at the next sign-in',
  method: 'By',
  removedMfa: 'Second factor removed',
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
  ['reason password', 'wrong password'],
  ['reason state', 'not begun here, or used before'],
  ['reason unverified', 'the e-mail is not verified'],
  ['reason unverified_answer', 'the answer of the provider did not verify'],
])

/** “Signed in” of `login.succeeded`, “Role changed” of `role.changed`. */
export function actionTitle(action: string) {
  return ACTIONS[action] ?? capitalize(action.replace(/[._]/g, ' ').replace(/^mfa\b/, 'MFA'))
}

/** Of an event: with what its form has changed, or how many more like it there were. */
export function eventTitle(action: string, details: Record<string, unknown>) {
  const { count } = details
  return (
    changeTitle(action, details) ?? actionTitle(action) + (count ? `, ${count} times more` : '')
  )
}

const CHANGES = /^(account\.updated|role\.changed|email\.changed)$/

/** One event holds all that one form has changed, so that its title names each of them. */
function changeTitle(action: string, details: Record<string, unknown>) {
  const fields = Object.keys(details).filter((field) => isChange(details[field]))
  if (!CHANGES.test(action) || fields.length === 0) return null
  const names = fields.map((field) => fieldTitle(field)).map(uncapitalize)
  const list = new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(names)
  return capitalize(`${list} changed`)
}

/** Who acted, where that was no user: `anonymous`, `system` or `cli:<os user>`. */
export function actorTitle(actor: string) {
  if (actor === 'anonymous') return 'Not signed in'
  if (actor === 'system') return 'Gatehouse itself'
  return actor.replace(/^cli:(.*)$/, '$1, by a command')
}

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

function capitalize(text: string) {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function uncapitalize(text: string) {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
