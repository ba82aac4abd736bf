import { validate as isUuid } from 'uuid'
import User from '#models/user'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { canonicalEmail } from '#models/email'
import { canonicalId } from '#database/canonical_id'

/** Operators name users by id or e-mail address, and service accounts also by name. */
export async function findUserByName(name: string): Promise<User | null> {
  if (isUuid(name)) return User.find(canonicalId(name))
  const email = canonicalEmail(name)
  return email ? User.findBy('email', email) : findServiceAccount(name)
}

/** Names are not unique: a name of several service accounts finds none. */
async function findServiceAccount(username: string) {
  const found = await User.query().where({ username, kind: 'service' }).limit(2)
  return found.length === 1 ? found[0] : null
}

export async function getUserByNameOrFail(name: string): Promise<User> {
  const user = await findUserByName(name)
  if (!user) throw new E_NOT_FOUND(`No account is named ${name}`)
  return user
}
