import env from '#start/env'

/** Who may read `/api-docs` and `/api-docs-json`. */
export default {
  /**
   * `public`: every client; the description reveals nothing that a client does not see.
   * `basic`: clients with the password. `off`: no client.
   */
  access: env.get('API_DOCS'),

  user: 'admin',
  password: env.get('API_DOCS_PASSWORD'),
}
