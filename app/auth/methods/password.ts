import type { MethodTraits, ProvedSession } from './sign_in_method.ts'
import type User from '#models/user'

export const password = {
  name: 'password',
  isGuessable: true,
  isMultiFactor: false,
  amr: () => ['pwd'],
  provedAt: () => undefined,
  restore: () => ({ method: 'password' }),
  use: async (user: User) => user,
  hasProved: ({ amr }: ProvedSession) => amr.includes('pwd'),
  isEnrolled: (user: User) => Boolean(user.password),
  isLeft: (user: User) => Boolean(user.password),
  orWhereUsable: (query) => query.orWhereNotNull('password'),
  credentials: null,
} satisfies MethodTraits<'password'>
