import type { EndedSession } from '#auth/store/contract'
import type { Transaction } from '#database/transaction'

/** A session with a client that was ended before its time. */
export type EndedGrant = EndedSession & { clientId: string }

type Listener = (userId: string, ended: EndedGrant[], trx: Transaction) => Promise<void>

let listener: Listener | undefined

/** Who hears of them, in the transaction that ends them: `app/oidc`, which stands above. */
export function onGrantsEnded(heard: Listener) {
  listener = heard
}

/** One that had expired meanwhile ended by itself, and is not told of. */
export async function reportEnds(userId: string, ended: EndedSession[], trx: Transaction) {
  const now = Date.now()
  const grants = ended.filter((each): each is EndedGrant => {
    return each.clientId !== null && each.expiresAt > now
  })
  if (grants.length > 0) await listener?.(userId, grants, trx)
}
