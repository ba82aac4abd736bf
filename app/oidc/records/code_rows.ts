import db from '@adonisjs/lucid/services/db'
import env from '#start/env'
import { bootId } from '#database/boot_id'
import { selectRows } from '#database/select_rows'
import { hashRecordId, type NewRecord, type RecordKey } from './record_rows.ts'
import type { Payload } from './payloads.ts'

/*
 | SQLite writes codes without a sync: `database/sqlite_durability.ts` knows them by the kind in the
 | text of the statement. A power cut may lose the last of these writes. Each code therefore names
 | the run of the machine, and no later run accepts it.
 */

export const CODE = 'AuthorizationCode'

const run = env.get('DB_CONNECTION') === 'sqlite' ? bootId : null

export function withRun(payload: Payload): Payload {
  return run === null ? payload : { ...payload, run }
}

export function isOfEarlierRun({ run: issuedIn }: Payload) {
  return issuedIn !== undefined && issuedIn !== run
}

/** Inserts a code of a grant that is already stored. */
export async function insertCode({ key, content }: NewRecord) {
  const { payload, expiresAt, grantId = null, clientId = null, userId = null } = content
  await selectRows(
    db.connection(),
    `INSERT INTO oauth_records (kind, id_hash, payload, expires_at, grant_id, client_id, user_id)
     VALUES ('AuthorizationCode', ?, ?, ?, ?, ?, ?)`,
    [hashRecordId(key), payload, expiresAt, grantId, clientId, userId]
  )
}

/** Returns true for the one caller that consumes the code. */
export async function consumeCode(key: RecordKey) {
  const now = Date.now()
  const rows = await selectRows(
    db.connection(),
    `UPDATE oauth_records SET consumed_at = ? WHERE kind = 'AuthorizationCode' AND id_hash = ?
     AND consumed_at IS NULL AND expires_at > ? RETURNING id_hash`,
    [now, hashRecordId(key), now]
  )
  return rows.length === 1
}
