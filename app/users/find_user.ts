import { validate as isUuid } from 'uuid'
import User from '#models/user'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { canonicalEmail } from '#models/email'
import { canonicalId } from '#database/canonical_id'

/** Operators name users by id, e-mail address or handle, and service accounts also by name. */
export async function findUserByName(name: string): Promise<User | null> {
  if (isUuid(name)) return User.find(canonicalId(name))
  const email = canonicalEmail(name)
  return email ? User.findBy('email', email) : findByPlainName(name)
}

/**
 * A user who signed up may have the name of a service account as handle, so service accounts are
 * looked up first. Names are not unique: a name of several service accounts finds none.
 */
async function findByPlainName(name: string) {
  const services = await User.query().where({ username: name, kind: 'service' }).limit(2)
  if (services.length > 0) return services.length === 1 ? services[0] : null
  return User.findBy('handle', name)
}

export async function getUserByNameOrFail(name: string): Promise<User> {
  const user = await findUserByName(name)
  if (!user) throw new E_NOT_FOUND(`No account is named ${name}`)
  return user
}
