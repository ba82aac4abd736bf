import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { deleteTokens, hasManyTokens } from '#maintenance/delete_tokens'
import { restrictedClientsOf } from '#oidc/clients/access/restricted_clients'
import * as deletions from '#oidc/records/delete_grant_rows'
import * as grants from '#oidc/records/grant_rows'
import { removeOldestOf } from '#oidc/records/record_rows'
import { plansOf } from '#tests/support/plans'
import type { Transaction } from '#database/transaction'

/*
 | SQLite runs its statements on the event loop. A statement that finds rows only by their kind
 | would read the rows of all users: `0078_give_sqlite_statistics` prevents this.
 */

const [userId, clientId, webSessionId, grantId] = Array.from({ length: 4 }, () => randomUUID())

const after = { expiresAt: 1, idHash: 'a' }

/** SQLite has one connection: a call without a transaction waits until another one has ended. */
const within = (act: (trx: Transaction) => Promise<unknown>) => () => db.transaction(act)

const ACTIONS: Record<string, () => Promise<unknown>> = {
  'the grants of a user': within((trx) =>
    grants.selectGrants({ user_id: userId, client_id: clientId }, trx)
  ),
  'the grants of a browser': within((trx) =>
    grants.selectGrantsOfBrowser({ userId, webSessionId }, trx)
  ),
  'the grant of a browser': () => grants.findGrantOfBrowser(clientId, userId, webSessionId),
  'another web session': within((trx) =>
    grants.moveGrants({ userId, from: webSessionId, to: userId }, trx)
  ),
  'a page of users': () => grants.usersWithGrantAfter(clientId, { after, limit: 10 }),
  'some users': () => grants.usersWithGrant(clientId, 10),
  'whether a client is used': within((trx) => grants.hasGrants(clientId, trx)),
  'when clients were used': () => grants.lastGrantTimes([clientId]),
  'how a grant began': () => grants.findGrantOrigin(grantId),
  'the end of sessions': within((trx) => deletions.endGrants([grantId, userId, clientId], trx)),
  'the end of a grant': within((trx) => deletions.deleteGrant(grantId, trx)),
  'tokens of a kind': () => deletions.deleteOfGrant('RefreshToken', grantId),
  'records of a client': within((trx) => deletions.deleteOfClient(clientId, 10, trx)),
  'addresses of a client': () => removeOldestOf(clientId, { kind: 'ClientAddress', limit: 10 }),
  'records of a user': async () => {
    await hasManyTokens(userId)
    await deleteTokens(userId)
  },
  'clients with a rule': within((trx) => restrictedClientsOf(userId, trx)),
}

test.group('Records of applications | what is read', (group) => {
  group.each.skip(db.connection().dialect.name === 'postgres', 'Postgres gathers statistics')

  test('{$self}: the rows that are meant')
    .with(Object.keys(ACTIONS))
    .run(async ({ assert }, name) => {
      const plans = await plansOf('oauth_records', ACTIONS[name])
      assert.isNotEmpty(plans)
      for (const plan of plans) {
        assert.notMatch(plan, /SCAN oauth_records/)
        assert.notMatch(plan, /oauth_records\w* \(kind=\?( AND expires_at[<>]\?)?\)/)
        assert.notMatch(plan, /oauth_records_kind_expires_at/)
        if (name !== 'records of a user') assert.notMatch(plan, /user_id_index/)
      }
    })
})
