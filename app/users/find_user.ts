import { validate as isUuid } from 'uuid'
import User from '#models/user'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { canonicalEmail } from '#auth/email'

/** Finds a user by id or e-mail address, as operators name users in commands. */
export async function findUserByName(name: string): Promise<User | null> {
  if (isUuid(name)) return User.find(name)
  const email = canonicalEmail(name)
  return email ? User.findBy('email', email) : null
}

export async function getUserByNameOrFail(name: string): Promise<User> {
  const user = await findUserByName(name)
  if (!user) throw new E_NOT_FOUND(`No account is named ${name}`)
  return user
}
