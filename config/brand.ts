import { readLogo } from '#setup/environment/brand_logo'
import env from '#start/env'
import { appUrl } from '#config/app'

const [application] = env.get('RETURN_URLS')

/** What pages and mails show of whose installation it is. */
export default {
  name: env.get('BRAND_NAME'),

  /** Null shows the mark of the product beside the name. */
  logo: readLogo(env.get('BRAND_LOGO')),

  /** Fills buttons and links; the stylesheet derives its other shades, those of the dark theme too. */
  color: env.get('BRAND_COLOR'),

  /** Where a mailed link leads on to: the site of the first of `RETURN_URLS`, or the account here. */
  url: `${application ? new URL(application).origin : appUrl}/`,

  termsUrl: env.get('TERMS_URL'),
  privacyUrl: env.get('PRIVACY_URL'),
}
