import { randomUUID } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import { isUniqueViolation } from '#database/unique_violation'
import { E_PROVIDER_EXISTS } from '#settings/errors'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'

/* This file owns `external_providers`: the providers that administrators have added. */

export interface ProviderRow {
  name: string
  issuer: string
  clientId: string
  /** Sealed for the issuer (`secrets.ts`); null after the restore of a backup without secrets. */
  clientSecret: string | null
  version: string
}

const TABLE = 'external_providers'

export async function readProviders(trx?: Transaction): Promise<ProviderRow[]> {
  const rows = await (trx ?? db).from(TABLE).orderBy('name').select('*')
  return rows.map((row) => ({
    name: row.name,
    issuer: row.issuer,
    clientId: row.client_id,
    clientSecret: row.client_secret,
    version: row.version,
  }))
}

export type ProviderFields = Omit<ProviderRow, 'version'>

interface Change {
  actor: Actor
  trx: Transaction
}

function toRow({ name, issuer, clientId, clientSecret }: ProviderFields, actor: Actor) {
  const fields = { name, issuer, client_id: clientId, client_secret: clientSecret }
  return { ...fields, version: randomUUID(), updated_by: actor.name, updated_at: Date.now() }
}

/** @throws E_PROVIDER_EXISTS */
export async function insertProvider(fields: ProviderFields, { actor, trx }: Change) {
  try {
    await trx.table(TABLE).insert(toRow(fields, actor))
  } catch (error) {
    throw isUniqueViolation(error) ? new E_PROVIDER_EXISTS() : error
  }
}

export async function updateProviderRow(fields: ProviderFields, { actor, trx }: Change) {
  await trx.from(TABLE).where('name', fields.name).update(toRow(fields, actor))
}

export async function deleteProviderRow(name: string, trx: Transaction) {
  await trx.from(TABLE).where({ name }).delete()
}
