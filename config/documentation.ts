import env from '#start/env'

/** Who may read `/api-docs` and `/api-docs-json`. */
export default {
  /**
   * `public`: everybody, which is what client developers expect and tells nothing that a
   * client does not see. `basic`: who knows the password. `off`: nobody.
   */
  access: env.get('API_DOCS'),

  user: 'admin',
  password: env.get('API_DOCS_PASSWORD'),
}
