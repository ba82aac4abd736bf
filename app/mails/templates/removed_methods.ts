import { providerTitle } from '#auth/external/provider_title'
import type { I18n } from '@adonisjs/i18n'
import type { RemovedMethods } from '#events/details'

export function listRemoved(i18n: I18n, removed: RemovedMethods) {
  const { unlinked = [], removedPasskeys = 0, revokedKeys: count = 0, removedMfa } = removed
  const parts = [...new Set(unlinked)].map((provider) =>
    i18n.t('links.removed.provider', { provider: providerTitle(provider) })
  )
  if (removedPasskeys > 0) {
    parts.push(i18n.t('links.removed.passkeys', { count: removedPasskeys }))
  }
  if (count > 0) parts.push(i18n.t('links.removed.keys', { count }))
  if (removedMfa) parts.push(i18n.t('links.removed.mfa'))
  return new Intl.ListFormat(i18n.locale).format(parts)
}
