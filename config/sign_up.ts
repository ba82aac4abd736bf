import env from '#start/env'

export default {
  isOpen: env.get('SIGN_UP') === 'open',

  domains: env.get('SIGN_UP_DOMAINS'),
}
