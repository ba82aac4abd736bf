import env from '#start/env'

export default {
  /** Off: stored values stay, and commands alone change them. */
  inConsole: env.get('SETTINGS_IN_CONSOLE') === 'on',

  /** Who steals a session must not have a reset mailed to a server of their own. */
  mailServerTrialMs: 86_400_000,
}
