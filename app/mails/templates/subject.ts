import type { I18n } from '@adonisjs/i18n'

/** An older version may have queued a kind without texts: it is its own subject. */
export function subjectOf(i18n: I18n, kind: string) {
  return i18n.t(`mails.${kind}.subject`, {}, kind)
}
