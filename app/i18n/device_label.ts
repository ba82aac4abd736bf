import type { I18n } from '@adonisjs/i18n'

/** Device names are stored in English: “Chrome unter Linux”. */
export function deviceLabel(i18n: I18n, name: string) {
  if (name === 'Unknown device') return i18n.t('common.device_unknown')
  const [, browser, system] = /^(.+?) on (.+)$/.exec(name) ?? []
  return browser ? i18n.t('common.device', { browser, system }) : name
}
