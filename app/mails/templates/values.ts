import lockout from '#config/lockout'
import { formatTime, deviceLabel } from '#i18n/format'
import { providerTitle } from '#auth/external/provider_title'
import { maskEmail, plainText } from './format.ts'
import { listRemoved } from './removed_methods.ts'
import { subjectOf } from './subject.ts'
import type { I18n } from '@adonisjs/i18n'
import type { Contents } from '#mails/mail_row'

type Format = (i18n: I18n, value: any) => Record<string, unknown>

const time: (name: string) => Format = (name) => (i18n, value) => ({
  [name]: formatTime(i18n.locale, value, 'mailTime'),
})

function named(field: string, name: string) {
  const plain = plainText(name)
  return { [field]: plain ?? '', named: String(plain !== null) }
}

/** Values without a format stay unchanged. */
const FORMATS: Record<string, Format> = {
  removed: (i18n, value) => ({ removed: listRemoved(i18n, value) || 'none' }),
  event: (i18n, value) => ({ event: subjectOf(i18n, value) }),
  newEmail: (_, value) => ({ newEmail: maskEmail(value) }),
  deviceName: (i18n, value) => ({
    deviceName: plainText(value) ? deviceLabel(i18n, value) : i18n.t('mails.unknown_device'),
  }),
  provider: (_, value) => ({ provider: providerTitle(value) }),
  keyName: (_, value) => named('keyName', value),
  passkeyName: (_, value) => named('passkeyName', value),
  webhookName: (_, value) => named('webhookName', value),
  application: (_, value) => ({ application: plainText(value) ?? '' }),
  account: (_, value) => ({ account: plainText(value) ?? '', owner: ownerOf(value) }),
  changedBy: (_, value) => ({ changedBy: value, how: value ? 'user' : 'command' }),
  via: () => ({}),
  lockedUntil: time('lockedUntil'),
  askedAt: time('askedAt'),
  startedAt: time('startedAt'),
  signedInAt: time('signedInAt'),
  endsAt: time('endsAt'),
  stalledSince: time('stalledSince'),
  failedAt: time('failedAt'),
}

function ownerOf(serviceAccount: string) {
  if (!serviceAccount) return 'own'
  return plainText(serviceAccount) ? 'named' : 'unnamed'
}

export function mailValues(i18n: I18n, contents: Contents): Record<string, unknown> {
  const known = { hasKnownDevices: String(lockout.hasKnownDevices) }
  const values = Object.entries(contents).map(
    ([name, value]) => FORMATS[name]?.(i18n, value) ?? { [name]: value }
  )
  return Object.assign(known, ...values)
}
