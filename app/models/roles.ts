import env from '#start/env'
import { ADMIN_ROLE, DEFAULT_ROLE } from './user.ts'

export const ROLES = [...new Set([DEFAULT_ROLE, ADMIN_ROLE, ...env.get('EXTRA_ROLES')])]
