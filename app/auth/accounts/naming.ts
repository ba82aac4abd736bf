import { validate as isUuid } from 'uuid'
import User from '#models/user'
import { E_NOT_FOUND } from '#auth/errors'
import { canonicalEmail } from './email.ts'

/** The account that an operator names by its e-mail or its id. */
export async function findAccountOrFail(name: string): Promise<User> {
  const email = canonicalEmail(name)
  const user = isUuid(name) ? await User.find(name) : email && (await User.findBy('email', email))
  if (!user) throw new E_NOT_FOUND(`No account is named ${name}`)
  return user
}
