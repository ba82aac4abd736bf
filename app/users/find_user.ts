import { validate as isUuid } from 'uuid'
import User from '#models/user'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { canonicalEmail } from '#models/email'
import { canonicalId } from '#database/canonical_id'

/** Finds a user by id, e-mail address or, of a service account, name, as operators name users in commands. */
export async function findUserByName(name: string): Promise<User | null> {
  if (isUuid(name)) return User.find(canonicalId(name))
  const email = canonicalEmail(name)
  return email ? User.findBy('email', email) : findServiceAccount(name)
}

/** Names are not unique: one that several service accounts have names none of them. */
async function findServiceAccount(username: string) {
  const found = await User.query().where({ username, kind: 'service' }).limit(2)
  return found.length === 1 ? found[0] : null
}

export async function getUserByNameOrFail(name: string): Promise<User> {
  const user = await findUserByName(name)
  if (!user) throw new E_NOT_FOUND(`No account is named ${name}`)
  return user
}
