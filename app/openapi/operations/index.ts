import { profileOperations } from './profile.ts'
import { activityOperations, auditOperations } from './audit.ts'
import { authOperations } from './auth.ts'
import { externalOperations } from './external.ts'
import { healthOperations } from './health.ts'
import { mfaOperations } from './mfa.ts'
import { recoveryOperations } from './recovery.ts'
import { sessionOperations } from './sessions.ts'
import { avatarOperations, userActionOperations } from './user_actions.ts'
import { userOperations } from './users.ts'
import type { Tag } from '../operation.ts'

/** Every operation under its tag. A route that is missing here fails `tests/functional/openapi/document.spec.ts`. */
export const tags: Tag[] = [
  {
    name: 'auth',
    description: 'Registration, login, tokens, sessions and the account of the caller',
    operations: {
      ...authOperations,
      ...sessionOperations,
      ...profileOperations,
      ...recoveryOperations,
      ...activityOperations,
      ...mfaOperations,
      ...externalOperations,
    },
  },
  {
    name: 'users',
    description: 'Accounts and their administration',
    operations: { ...userOperations, ...userActionOperations, ...avatarOperations },
  },
  {
    name: 'audit',
    description: 'Who did what, on whom, when and from where',
    operations: auditOperations,
  },
  {
    name: 'health',
    description: 'What load balancers and operators ask',
    operations: healthOperations,
  },
]
