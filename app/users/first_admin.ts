import { randomBytes } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import { ADMIN_ROLE } from '#models/user'
import { E_INVALID_TOKEN } from '#auth/errors'
import { hashNewPassword } from '#auth/passwords/new_password'
import { hashToken } from '#auth/tokens/hash_token'
import { selectRows } from '#database/select_rows'
import { record } from '#events/record'
import { insertUser, type NewUser } from './insert_user.ts'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'
import { hasAdmin } from './has_admin.ts'

/** Only the hash is stored, so that a reader of the database cannot become administrator. */
export async function issueSetupToken() {
  const token = randomBytes(32).toString('base64url')
  await selectRows(
    db.connection(),
    `INSERT INTO installation (id, setup_token_hash) VALUES (1, ?)
     ON CONFLICT (id) DO UPDATE SET setup_token_hash = excluded.setup_token_hash RETURNING id`,
    [hashToken(token)]
  )
  return token
}

export async function isSetupToken(token: string) {
  const row = await db.from('installation').where('setup_token_hash', hashToken(token)).first()
  return Boolean(row) && !(await hasAdmin())
}

/** `operator` is a caller who controls the environment. */
type SetupCredential = { setupToken: string } | 'operator'

/**
 * @returns the user, or null when there is an administrator already
 * @throws E_INVALID_TOKEN for a token that is not the newest one
 */
export async function createFirstAdmin(
  newUser: NewUser & { password: string },
  credential: SetupCredential,
  actor: Actor
) {
  const password = await hashNewPassword(newUser.password, newUser)
  return db.transaction(async (trx) => {
    const installation = await lockInstallationForUpdate(trx)
    if (await hasAdmin(trx)) return null
    assertCredential(credential, installation)
    /** `REQUIRE_VERIFIED_EMAIL` would otherwise lock the administrator out before mail is configured. */
    const admin = { ...newUser, role: ADMIN_ROLE, emailVerified: true }
    const user = await insertUser(admin, password, trx)
    await completeInstallation(trx)
    const details = { role: ADMIN_ROLE, isFirst: true } as const
    await record(trx, { type: 'account.created', user, actor, details })
    return user
  })
}

interface Installation {
  setup_token_hash: string | null
}

function assertCredential(credential: SetupCredential, installation: Installation) {
  if (credential === 'operator') return
  if (installation.setup_token_hash !== hashToken(credential.setupToken))
    throw new E_INVALID_TOKEN()
}

async function completeInstallation(trx: Transaction) {
  const completed = { setup_token_hash: null, completed_at: Date.now() }
  await trx.from('installation').where('id', 1).update(completed)
}

async function lockInstallationForUpdate(trx: Transaction) {
  const [row] = await selectRows<Installation>(
    trx,
    `INSERT INTO installation (id) VALUES (1)
     ON CONFLICT (id) DO UPDATE SET id = excluded.id RETURNING setup_token_hash`,
    []
  )
  return row
}
