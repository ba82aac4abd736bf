import type { I18n } from '@adonisjs/i18n'
import { capitalize, fieldTitle, isChange, wordOr } from './event_fields.ts'

/*
 | What people read for actions, fields and values of the audit trail. The trail keeps
 | names for machines, such as `login.succeeded`; people read sentences in their language.
 */

/** “Signed in” of `login.succeeded`; an action of an older version is shown by its own words. */
export function actionTitle(i18n: I18n, action: string) {
  return wordOr(i18n, `events.actions.${action}`, capitalize(action.replace(/[._]/g, ' ')))
}

/** Of an event: with what its form has changed, or how many more like it there were. */
export function eventTitle(i18n: I18n, action: string, details: Record<string, unknown>) {
  const count = Number(details.count ?? 0)
  const title = changeTitle(i18n, action, details) ?? actionTitle(i18n, action)
  return count ? i18n.t('events.repeated', { title, count }) : title
}

const CHANGES = /^(account\.updated|role\.changed|email\.changed)$/

/** One event holds all that one form has changed, so that its title names each of them. */
function changeTitle(i18n: I18n, action: string, details: Record<string, unknown>) {
  const names = Object.keys(details).filter((field) => isChange(details[field]))
  if (!CHANGES.test(action) || names.length === 0) return null
  const titles = names.map((field) => inSentence(i18n.locale, fieldTitle(i18n, field)))
  const list = new Intl.ListFormat(i18n.locale, { type: 'conjunction' })
  return capitalize(i18n.t('events.changed', { fields: list.format(titles) }))
}

/** Who acted, where that was no user: `anonymous`, `system`, `administrator` or `cli:<os user>`. */
export function actorTitle(i18n: I18n, actor: string) {
  const [, name] = /^cli:(.*)$/.exec(actor) ?? []
  return name === undefined
    ? wordOr(i18n, `events.actor.${actor}`, actor)
    : i18n.t('events.actor.command', { name })
}

/** German nouns keep their capital letter. */
function inSentence(locale: string, text: string) {
  const isGerman = new Intl.Locale(locale).language === 'de'
  return isGerman ? text : text.charAt(0).toLowerCase() + text.slice(1)
}
