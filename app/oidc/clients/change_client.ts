import db from '@adonisjs/lucid/services/db'
import { assertActive } from '#auth/lock_for_change'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { lockAllowedGroups } from '#oidc/clients/access/allowed_groups'
import { lockClient } from './client_rows.ts'
import type { Actor } from '#audit/actor'
import type { Group } from '#groups/group'
import type { Transaction } from '#database/transaction'
import type { OAuthClient } from './client.ts'

export function changeClient<Result>(
  id: string,
  actor: Actor,
  action: (client: OAuthClient, trx: Transaction) => Promise<Result>
) {
  return changeWithGroups({ id, actor }, action)
}

interface ChangedClient {
  id: string
  actor: Actor
  /** Names of groups, which are locked first, as a deletion of a group does. */
  names?: string[]
}

type Action<Result> = (client: OAuthClient, trx: Transaction, groups?: Group[]) => Promise<Result>

export function changeWithGroups<Result>(
  { id, actor, names }: ChangedClient,
  action: Action<Result>
) {
  return db.transaction(async (trx) => {
    await assertActive(actor, trx)
    const groups = names && (await lockAllowedGroups(names, trx))
    const client = await lockClient(id, trx)
    if (!client) throw new E_NOT_FOUND()
    return action(client, trx, groups)
  })
}
