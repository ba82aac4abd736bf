import { assertMay } from '#auth/callers/permissions'
import { decoding, reencode } from '#users/avatars/picture'
import { storeChanges, type ChangeOptions } from './change_settings.ts'
import { isInEnv } from '#settings/values/definitions'
import { E_SET_BY_ENVIRONMENT } from './errors.ts'
import { assertUnlocked } from './read_changes.ts'
import type { Actor } from '#audit/actor'

/** @throws E_SETTINGS_LOCKED, E_SET_BY_ENVIRONMENT */
export function assertLogoIsWritable(actor: Actor) {
  assertUnlocked(actor)
  if (isInEnv('BRAND_LOGO')) throw new E_SET_BY_ENVIRONMENT().with({ fields: ['BRAND_LOGO'] })
}

/** Reencodes the picture, as for a user's picture. @throws what `changeSettings` throws */
export async function changeBrandLogo(file: Buffer, options: ChangeOptions) {
  const { actor } = options
  assertLogoIsWritable(actor)
  assertMay('settings', actor)
  const image = await decoding(() => reencode(file, 'contain'))
  await storeChanges(new Map([['BRAND_LOGO', image.toString('base64')]]), options)
}
