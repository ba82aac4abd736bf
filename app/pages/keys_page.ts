import type { I18n } from '@adonisjs/i18n'
import settings from '#config/signing_keys'
import { listKeys } from '#auth/signing_keys/key_records'
import { formatDuration } from '#i18n/format'

export async function keysPage(i18n: I18n) {
  const { algorithm, rotationMs } = settings
  const isSecret = algorithm === 'HS256'
  const keys = await listKeys()
  return {
    keys,
    hasUpcoming: keys.some(({ state }) => state === 'published'),
    canRotate: !isSecret || keys.some(({ state }) => state === 'signing'),
    lead: isSecret
      ? i18n.t('console.keys.lead_secret')
      : i18n.t('console.keys.lead_pairs', { algorithm }),
    nothing: i18n.t(isSecret ? 'console.keys.none_secret' : 'console.keys.none_pairs'),
    summary:
      rotationMs === null
        ? i18n.t('console.keys.rotation_off')
        : i18n.t('console.keys.rotation', { age: formatDuration(i18n.locale, rotationMs) }),
  }
}
