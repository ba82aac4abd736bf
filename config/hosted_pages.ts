import env from '#start/env'

export default {
  isOn: env.get('HOSTED_PAGES') === 'on',
}
