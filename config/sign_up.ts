import env from '#start/env'

/** Who may make an account for themselves. Administrators and commands add anybody. */
export default {
  /** `invite` leaves invitations only. */
  isOpen: env.get('SIGN_UP') === 'open',

  /** The domains of the addresses that may sign up, in ASCII; none allows all of them. */
  domains: env.get('SIGN_UP_DOMAINS'),
}
