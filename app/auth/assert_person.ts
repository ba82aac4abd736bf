import { E_SERVICE_ACCOUNT } from './errors.ts'
import type User from '#models/user'

/**
 * Refuses what belongs to a sign-in, which a service account does not have.
 *
 * @throws E_SERVICE_ACCOUNT
 */
export function assertPerson(user: User) {
  if (user.isService) throw new E_SERVICE_ACCOUNT()
}
