import type { I18n } from '@adonisjs/i18n'

/** The subject of a kind of mail; of one that an older version queued, its kind. */
export function subjectOf(i18n: I18n, kind: string) {
  return i18n.t(`mails.${kind}.subject`, {}, kind)
}
