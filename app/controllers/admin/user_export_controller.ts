import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { stringify } from 'csv-stringify'
import type { HttpContext } from '@adonisjs/core/http'
import type { Actor } from '#audit/actor'
import type { UserFilter } from '#users/list/filter'
import db from '@adonisjs/lucid/services/db'
import { E_BAD_REQUEST } from '#exceptions/http_errors'
import { assertActive } from '#auth/lock_for_change'
import { record } from '#events/record'
import { walkUsers } from '#users/list/list_users'
import UserTransformer, { type UserRecord } from '#transformers/user_transformer'
import { parseUserListQuery, type UserListQuery } from '#pages/users/user_list_query'
import { userListUrl } from '#pages/users/user_list_url'
import { criteriaOf, filterOf } from '#pages/users/user_list_filter'
import { isCrossOrigin } from '#http/browser_origin'
import { actorOf } from '#http/request_source'
import { streamResponse } from '#http/stream_response'

const COLUMNS: (keyof UserRecord)[] = [
  'id',
  'email',
  'emailVerified',
  'username',
  'nickname',
  'role',
  'provider',
  'mfaEnabled',
  'lockedUntil',
  'disabled',
  'lastLoginAt',
  'createdAt',
  'updatedAt',
  'kind',
  'handle',
]

/** Streams the rows while they are read, so that a million of them need no memory. */
export default class UserExportController {
  async show(ctx: HttpContext) {
    const query = await parseUserListQuery(ctx.request.qs())
    if (!query) throw new E_BAD_REQUEST()
    // Another site could cause any number of events, and read every user each time.
    if (isCrossOrigin(ctx)) return ctx.response.redirect().status(303).toPath(userListUrl(query))
    await recordExport(query, actorOf(ctx))
    ctx.response.header('content-type', 'text/csv; charset=utf-8')
    ctx.response.header('content-disposition', `attachment; filename="users-${today()}.csv"`)
    return streamResponse(ctx, toCsv(filterOf(query)))
  }
}

function recordExport(query: UserListQuery, actor: Actor) {
  // The search may be the address of a user, whose erasure would not reach this event.
  const search = query.search ? true : null
  const details = { filter: { ...criteriaOf(query), search } }
  return db.transaction(async (trx) => {
    await assertActive(actor, trx)
    await record(trx, { type: 'accounts.exported', user: null, actor, details })
  })
}

/** Writes a cell that a spreadsheet would run as a formula as text (CSV injection). */
function toCsv(filter: UserFilter) {
  const options = { header: true, columns: COLUMNS, escape_formulas: true, bom: true }
  const csv = stringify({ ...options, cast: { boolean: String } })
  pipeline(Readable.from(records(filter)), csv).catch((error) => csv.destroy(error))
  return csv
}

async function* records(filter: UserFilter) {
  for await (const users of walkUsers(filter)) {
    for (const user of users) yield new UserTransformer(user).toObject()
  }
}

function today() {
  return new Date().toISOString().slice(0, 10)
}
