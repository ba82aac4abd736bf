import { E_LAST_METHOD } from '#auth/errors'
import { METHOD_LIST } from '#auth/methods/methods'
import type { SignInMethod } from '#auth/methods/sign_in_method'
import type User from '#models/user'
import type { Transaction } from '#database/transaction'

interface Removal {
  method: SignInMethod
  /** The id of a passkey, or the name of a provider, which loses all its identities. */
  removed: string
}

/** Call it with the user's row locked. A mailed link is no sign-in method. @throws E_LAST_METHOD */
export async function assertAnotherMethod(user: User, removal: Removal, trx: Transaction) {
  for (const { name, isLeft } of METHOD_LIST) {
    const removed = name === removal.method ? removal.removed : null
    if (await isLeft(user, removed, trx)) return
  }
  throw new E_LAST_METHOD()
}
