import env from '#start/env'

export default {
  access: env.get('API_DOCS'),

  user: 'admin',
  password: env.get('API_DOCS_PASSWORD'),
}
