import type { MethodTraits, VerifiedSession } from './sign_in_method.ts'
import type User from '#models/user'

export const password = {
  name: 'password',
  isGuessable: true,
  isMultiFactor: false,
  amr: () => ['pwd'],
  verifiedAt: () => undefined,
  restore: () => ({ method: 'password' }),
  use: async (user: User) => user,
  hasVerified: ({ amr }: VerifiedSession) => amr.includes('pwd'),
  isEnrolled: (user: User) => Boolean(user.password),
  isLeft: (user: User) => Boolean(user.password),
  orWhereUsable: (query) => query.orWhereNotNull('password'),
  credentials: null,
} satisfies MethodTraits<'password'>
