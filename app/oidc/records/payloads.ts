import encryption from '@adonisjs/core/services/encryption'
import { errors } from 'oidc-provider'
import limits from '#config/limits'
import {
  answerRecord,
  ENCRYPTED_RECORDS,
  findRecord,
  upsertRecord,
  type RecordColumns,
} from './record_rows.ts'
import type { DeviceCode, Grant, Interaction } from 'oidc-provider'
import type { Transaction } from '#database/transaction'

export type Payload = Record<string, any>

/** @throws invalid_request if the payload is too large */
export function sealPayload(kind: string, payload: Payload) {
  const sealed = encode(kind, payload)
  if (isSmall(sealed)) return sealed
  throw new errors.InvalidRequest('the request is too large')
}

function isSmall(sealed: string) {
  return Buffer.byteLength(sealed) <= limits.authorizationBytes
}

function encode(kind: string, payload: Payload) {
  if (ENCRYPTED_RECORDS.has(kind)) return encryption.encrypt(payload, { purpose: kind })
  const { jti, ...stored } = payload
  return JSON.stringify(stored)
}

/** `id` comes from the caller. Returns null if the payload cannot be decrypted. */
export function openPayload(kind: string, sealed: string, id?: string): Payload | null {
  if (ENCRYPTED_RECORDS.has(kind)) return encryption.decrypt<Payload>(sealed, kind)
  return { ...JSON.parse(sealed), jti: id }
}

export function columnsOf(kind: string, payload: Payload): RecordColumns {
  const { accountId, clientId, params, userCode, jti } = payload
  return {
    grantId: kind === 'Grant' ? jti : payload.grantId,
    clientId: clientId ?? params?.client_id,
    userId: accountId,
    webSessionId: payload.webSessionId,
    userCode,
  }
}

type Saved = Grant | DeviceCode

async function save(kind: string, model: Saved, trx: Transaction) {
  const { key, content } = await recordOf(kind, model)
  await upsertRecord(key, content, trx)
}

async function recordOf(kind: string, model: Saved) {
  const { payload } = await model.getValueAndPayload()
  const sealed = { payload: sealPayload(kind, payload), expiresAt: payload.exp * 1_000 }
  const content = { ...sealed, ...columnsOf(kind, payload) }
  return { key: { kind, id: payload.jti as string }, content }
}

export function grantRecord(grant: Grant) {
  return recordOf('Grant', grant)
}

export async function isStorable(grant: Grant) {
  const { payload } = await grant.getValueAndPayload()
  return isSmall(encode('Grant', payload))
}

export function saveGrant(grant: Grant, trx: Transaction) {
  return save('Grant', grant, trx)
}

export async function readGrant(grantId: string, trx: Transaction) {
  const stored = await findRecord({ kind: 'Grant', id: grantId }, trx)
  return stored && openPayload('Grant', stored.payload, grantId)
}

export function saveDeviceCode(code: DeviceCode, trx: Transaction) {
  return save('DeviceCode', code, trx)
}

/** Returns false if the interaction is already answered, or if its authorization has gone on. */
export async function saveInteraction(interaction: Interaction, trx: Transaction) {
  const { payload } = await interaction.getValueAndPayload()
  const key = { kind: 'Interaction', id: interaction.uid }
  return answerRecord(key, sealPayload('Interaction', payload), trx)
}
