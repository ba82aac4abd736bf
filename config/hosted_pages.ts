import env from '#start/env'

/** The pages for people (`HOSTED_PAGES`). The sign-in, the console and mailed links do not depend on it. */
export default {
  isOn: env.get('HOSTED_PAGES') === 'on',
}
