import { readLogo } from '#setup/environment/brand_logo'
import env from '#start/env'
import { appUrl } from '#config/app'

const [application] = env.get('RETURN_URLS')

export default {
  name: env.get('BRAND_NAME'),

  logo: readLogo(env.get('BRAND_LOGO')),

  color: env.get('BRAND_COLOR'),

  url: `${application ? new URL(application).origin : appUrl}/`,

  termsUrl: env.get('TERMS_URL'),
  privacyUrl: env.get('PRIVACY_URL'),
}
