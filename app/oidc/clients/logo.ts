import { randomBytes } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import { decoding, reencode } from '#users/avatars/picture'
import { changeClient } from './change_client.ts'
import { updateRow } from './client_rows.ts'
import { assertMayChangeClient } from './permissions.ts'
import { recordUpdate } from './recorded_changes.ts'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'
import type { OAuthClient } from './client.ts'

/* This file owns `oauth_client_logos`, whose rows are deleted with their client. */

const TABLE = 'oauth_client_logos'
const PATH = '/client-logos/'

/** @throws E_NOT_FOUND, E_VALIDATION_ERROR, and what `assertMay` throws */
export async function changeLogo(id: string, file: Buffer, actor: Actor) {
  const image = await decoding(() => reencode(file, 'contain'))
  const name = `${randomBytes(24).toString('base64url')}.webp`
  return setLogo(id, { name, image }, actor)
}

/** Without a logo nothing changes, and no event is recorded. */
export function removeLogo(id: string, actor: Actor) {
  return setLogo(id, null, actor)
}

type Picture = { name: string; image: Buffer } | null

function setLogo(id: string, picture: Picture, actor: Actor) {
  return changeClient(id, actor, (before, trx) => setLogoWithin(before, { picture, actor }, trx))
}

/** The caller has locked the row of the client. */
export async function setLogoWithin(
  before: OAuthClient,
  { picture, actor }: { picture: Picture; actor: Actor },
  trx: Transaction
) {
  assertMayChangeClient({ before, after: before }, actor)
  const logo = picture && PATH + picture.name
  if (before.logo === logo) return before
  const client = { ...before, logo, updatedAt: Date.now() }
  const { id } = client
  await trx.from(TABLE).where({ id }).delete()
  if (picture) await trx.table(TABLE).insert({ id, ...picture })
  await updateRow(client, trx)
  await recordUpdate(before, client, { actor, trx })
  return client
}

const LOGO_NAME = /^[\w-]{32}\.webp$/

export async function findLogo(name: string): Promise<Buffer | null> {
  if (!LOGO_NAME.test(name)) return null
  const row = await db.from(TABLE).where({ name }).select('image').first()
  return row?.image ?? null
}
