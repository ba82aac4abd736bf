import { readLogo } from '#setup/brand_logo'
import env from '#start/env'
import { appUrl } from '#config/app'

/** What pages and mails show of whose installation it is. */
export default {
  name: env.get('BRAND_NAME'),

  /** Null shows the mark of the product beside the name. */
  logo: readLogo(env.get('BRAND_LOGO')),

  /** Fills buttons and links; the stylesheet derives its other shades, those of the dark theme too. */
  color: env.get('BRAND_COLOR'),

  /** Where people go on after a mailed link: the application, or their account here. */
  url: env.get('BRAND_URL') ?? `${appUrl}/`,

  termsUrl: env.get('TERMS_URL'),
  privacyUrl: env.get('PRIVACY_URL'),
}
