import { v7 as uuidv7 } from 'uuid'
import db from '@adonisjs/lucid/services/db'
import { servicePlaceholder } from '#models/email'
import { assertMay } from '#auth/callers/permissions'
import { assertActive } from '#auth/lock_for_change'
import { DEFAULT_ROLE } from '#models/user'
import { record } from '#events/record'
import { assertMayGiveRole } from './assert_may_give_role.ts'
import { insertUser } from './insert_user.ts'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'

/* Service accounts use only API keys and have no e-mail or password, so no sign-in rule applies. */

export interface NewServiceAccount {
  /** Set where a repeated request must find the account that the first request added. */
  id?: string
  username: string
  handle?: string
  nickname?: string | null
  role?: string
}

/** @throws what `assertMay` and `assertMayGiveRole` throw */
export function addServiceAccount(account: NewServiceAccount, actor: Actor) {
  return db.transaction((trx) => addServiceAccountWithin(account, actor, trx))
}

export async function addServiceAccountWithin(
  account: NewServiceAccount,
  actor: Actor,
  trx: Transaction
) {
  const { id = uuidv7(), role = DEFAULT_ROLE } = account
  assertMay('user.kind', actor)
  assertMayGiveRole(role, actor)
  if (account.handle !== undefined) assertMay('user.handle', actor)
  const newUser = { ...account, id, role, kind: 'service', email: servicePlaceholder(id) } as const
  await assertActive(actor, trx)
  const user = await insertUser(newUser, null, trx)
  const details = { role, kind: 'service' } as const
  await record(trx, { type: 'account.created', user, actor, details })
  return user
}
