import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { findMigrations } from '#database/migrate'
import env from '#start/env'
import { version } from '#config/app'
import { keyId } from '#auth/tokens/keyring'
import { isGenerated } from '#setup/environment/secrets'
import { OtherFormat, RefusedRestore } from '#backup/errors'
import { CARRIED_KEYRINGS, type CarriedKeyring, type Keyrings } from '#backup/keyrings'
import { findUnfinished } from './unfinished.ts'
import type { Manifest } from '#backup/archive/manifest'

/* What a restore may do here, decided before anything is changed. */

export interface KeyringPlan {
  /** The keyrings that `DATA_DIR` takes over from the archive. */
  adopted: Partial<Keyrings>
  /** False if no key here can continue the audit log of the archive. */
  keepsTrail: boolean
}

/** A version that reads the archive may restore it. @throws RefusedRestore, or the error itself */
export function refuseOtherFormat(error: Error): never {
  throw error instanceof OtherFormat ? new RefusedRestore(error.message) : error
}

/** @returns whether the archive is from before a migration of this version. @throws RefusedRestore */
export async function isOlder({ migrations, version: made }: Manifest) {
  const known = await findMigrations(app)
  const isKnown = migrations.every((name) => known.includes(name))
  if (isKnown && !isLater(made, version)) return migrations.length < known.length
  throw new RefusedRestore(
    `The backup was made by Gatehouse ${made}, which is newer than ${version}: restore it with that version.`
  )
}

function isLater(one: string, other: string) {
  return one.localeCompare(other, 'en', { numeric: true }) > 0
}

/** @throws RefusedRestore if users would be replaced without `replace` */
export async function assertMayReplace({ replace }: { replace?: boolean }) {
  if (replace || (await findUnfinished())) return
  const [{ total }] = await db.from('users').count('* as total')
  if (Number(total) === 0) return
  throw new RefusedRestore(
    `This installation has users (${total}). Add --replace to replace them, and everything else here, by the backup.`
  )
}

/** @param carried null without encryption. @throws RefusedRestore with the name of the variable */
export function planKeyrings(manifest: Manifest, carried: Keyrings | null): KeyringPlan {
  const plan: KeyringPlan = { adopted: {}, keepsTrail: true }
  for (const name of CARRIED_KEYRINGS) {
    if (opens(name, manifest)) continue
    if (!carried && name === 'MFA_ENCRYPTION_KEYS') continue
    if (!isGenerated(name)) throw closed(name, carried)
    if (carried) plan.adopted[name] = carried[name]
    else plan.keepsTrail = false
  }
  return plan
}

/** The last entry of `APP_KEY` signs the audit log. */
function opens(name: CarriedKeyring, { keyrings }: Manifest) {
  const ids = env.get(name).map(keyId)
  const needed = keyrings[name]
  const hasAll = needed.every((id) => ids.includes(id))
  return hasAll && (name !== 'APP_KEY' || ids.at(-1) === needed.at(-1))
}

function closed(name: CarriedKeyring, carried: Keyrings | null) {
  const where = carried
    ? 'keyrings.json in the backup has its value (docs/backup.md)'
    : 'it has to be what it was where the backup was made'
  return new RefusedRestore(`${name} does not open this backup: ${where}.`)
}
