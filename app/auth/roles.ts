import env from '#start/env'
import { ADMIN_ROLE, DEFAULT_ROLE } from '#models/user'

/** Every role that a user may have; those of `EXTRA_ROLES` mean something to client apps alone. */
export const ROLES = [...new Set([DEFAULT_ROLE, ADMIN_ROLE, ...env.get('EXTRA_ROLES')])]
