import env from '#start/env'
import { ADMIN_ROLE, DEFAULT_ROLE } from './user.ts'

/** Every role that a user may have. Roles of `EXTRA_ROLES` have a meaning in client apps only. */
export const ROLES = [...new Set([DEFAULT_ROLE, ADMIN_ROLE, ...env.get('EXTRA_ROLES')])]
