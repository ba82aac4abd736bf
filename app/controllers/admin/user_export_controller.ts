import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { stringify } from 'csv-stringify'
import type { HttpContext } from '@adonisjs/core/http'
import db from '@adonisjs/lucid/services/db'
import { E_BAD_REQUEST } from '#exceptions/http_errors'
import { recordAudit } from '#audit/trail'
import { walkRoster } from '#users/list/console_list'
import UserTransformer, { type UserRecord } from '#transformers/user_transformer'
import { consoleActor } from '#pages/redirect'
import { filterOf } from '#pages/user_list_url'
import { readRosterQuery } from './users_controller.ts'

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
]

/** The filtered list as a file, written while it is read: a million rows need no memory. */
export default class UserExportController {
  async show(ctx: HttpContext) {
    const { request, response } = ctx
    const query = await readRosterQuery(request.qs())
    if (!query) throw new E_BAD_REQUEST()
    const filter = filterOf(query)
    const actor = consoleActor(ctx)
    await db.transaction((trx) =>
      recordAudit({ action: 'accounts.exported', actor, targetId: null, details: { filter } }, trx)
    )
    response.header('content-type', 'text/csv; charset=utf-8')
    response.header('content-disposition', `attachment; filename="users-${today()}.csv"`)
    /** A cell that a spreadsheet would run as a formula is written as the text it is. */
    const options = { header: true, columns: COLUMNS, escape_formulas: true, bom: true }
    const csv = stringify({ ...options, cast: { boolean: String } })
    pipeline(Readable.from(rows(filter)), csv).catch((error) => csv.destroy(error))
    return response.stream(csv)
  }
}

async function* rows(filter: ReturnType<typeof filterOf>) {
  for await (const users of walkRoster(filter)) {
    for (const user of users) yield new UserTransformer(user).toObject()
  }
}

function today() {
  return new Date().toISOString().slice(0, 10)
}
