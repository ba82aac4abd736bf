import env from '#start/env'

export default {
  /** If off, stored values stay, and only commands change them. */
  inConsole: env.get('SETTINGS_IN_CONSOLE') === 'on',

  /** The thief of a session must not have a reset mailed to their own server. */
  mailServerTrialMs: 86_400_000,
}
