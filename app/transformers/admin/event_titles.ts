import type { I18n } from '@adonisjs/i18n'
import { capitalize, fieldTitle, isChange, translateOr } from './event_fields.ts'

/* The trail records names for programs, such as `login.succeeded`; titles translate them. */

/** Returns “Signed in” for `login.succeeded`, and the action's own words for an older action. */
export function actionTitle(i18n: I18n, action: string) {
  return translateOr(i18n, `events.actions.${action}`, capitalize(action.replace(/[._]/g, ' ')))
}

export function eventTitle(i18n: I18n, action: string, details: Record<string, unknown>) {
  const count = Number(details.count ?? 0)
  const title = changeTitle(i18n, action, details) ?? actionTitle(i18n, action)
  return count ? i18n.t('events.repeated', { title, count }) : title
}

const CHANGES = /^(account\.updated|role\.changed|email\.changed)$/

/** An event contains all changes of a form, so its title names each field. */
function changeTitle(i18n: I18n, action: string, details: Record<string, unknown>) {
  const names = Object.keys(details).filter((field) => isChange(details[field]))
  if (!CHANGES.test(action) || names.length === 0) return null
  const titles = names.map((field) => inSentence(i18n.locale, fieldTitle(i18n, field)))
  const list = new Intl.ListFormat(i18n.locale, { type: 'conjunction' })
  return capitalize(i18n.t('events.changed', { fields: list.format(titles) }))
}

export function actorTitle(i18n: I18n, actor: string) {
  const [, name] = /^cli:(.*)$/.exec(actor) ?? []
  return name === undefined
    ? translateOr(i18n, `events.actor.${actor}`, actor)
    : i18n.t('events.actor.command', { name })
}

/** German nouns keep their capital letter. */
function inSentence(locale: string, text: string) {
  const isGerman = new Intl.Locale(locale).language === 'de'
  return isGerman ? text : text.charAt(0).toLowerCase() + text.slice(1)
}
