import { capitalize, fieldTitle, isChange } from './event_fields.ts'

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
  'login.challenged': 'Code asked for',
  'login.failed': 'Sign-in failed',
  'login.refused': 'Sign-in refused',
  'login.succeeded': 'Signed in',
  'mfa.backup_codes_replaced': 'Backup codes replaced',
  'mfa.incorrect_code': 'Wrong code given',
  'passkey.counter_refused': 'Passkey refused: it may have been copied',
  'password.incorrect': 'Wrong password given',
  'refresh.reused': 'Refresh token used twice',
  'session.denied': 'Reported: “It was not me”',
  'sessions.ended': 'All sessions ended',
  'signing_key.started': 'Signing key put in use at once',
}

/** The first words of actions that are written in another way than the trail can. */
const SPELLINGS = [
  [/^mfa\b/, 'MFA'],
  [/^api key\b/, 'API key'],
  [/^email\b/, 'E-mail'],
] as const

function wordsOf(action: string) {
  const words = action.replace(/[._]/g, ' ')
  return SPELLINGS.reduce((text, [found, spelling]) => text.replace(found, spelling), words)
}

/** “Signed in” of `login.succeeded`, “Role changed” of `role.changed`. */
export function actionTitle(action: string) {
  return ACTIONS[action] ?? capitalize(wordsOf(action))
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

function uncapitalize(text: string) {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
