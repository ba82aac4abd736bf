import env from '#start/env'

/** The roles that an account can have: the product's two, and those that only client apps read. */
export const ROLES = [...new Set(['User', 'Admin', ...env.get('EXTRA_ROLES')])]
