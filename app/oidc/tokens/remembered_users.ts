import { VersionedCache } from '#database/configuration_version'
import { dependsOnSession, findEligibleUser } from './accounts.ts'
import type User from '#models/user'

/** A value that follows from one version of a user and from the configuration. */
export interface OfUser<Value> {
  userVersion: string
  value: Value
}

export class RememberedOfUsers<Value> {
  readonly #memory: VersionedCache<OfUser<Value>>

  constructor({ max }: { max: number }) {
    this.#memory = new VersionedCache({ max })
  }

  /** `read` returns null for a value that must not be kept. */
  async find(key: string, userVersion: string, read: () => Promise<OfUser<Value> | null>) {
    const isCurrent = (kept: OfUser<Value>) => kept.userVersion === userVersion
    const found = await this.#memory.find(key, read, isCurrent)
    return found?.value ?? null
  }
}

const eligible = new RememberedOfUsers<true>({ max: 10_000 })

interface Holder {
  userId: string
  sessionId: string
  clientId: string
}

/** Decides as a refresh would. For work `underOneConfiguration` on a token that is active. */
export async function isEligible({ userId, sessionId, clientId }: Holder, userVersion: string) {
  let user: User | null = null
  const read = async () => {
    user = await findEligibleUser(userId, sessionId)
    if (!user || dependsOnSession(user)) return null
    return { userVersion: user.versionId, value: true as const }
  }
  return (await eligible.find(`${userId} ${clientId}`, userVersion, read)) ?? user !== null
}
