import { v7 as uuidv7 } from 'uuid'
import db from '@adonisjs/lucid/services/db'
import { invalidField } from '#exceptions/http_errors'
import { continueDeletion } from '#oidc/clients/deletion/begin_deletion'
import { hasSecret, type ClientSettings } from './client.ts'
import { assertSettings } from './assert_settings.ts'
import { withDefaults, type NewClient } from './client_fields.ts'
import { changeClient, changeWithGroups } from './change_client.ts'
import {
  createWithin,
  deleteWithin,
  rotateWithin,
  updateWithin,
  type ClientUpdate,
  type RegisteredClient,
} from './client_changes.ts'
import { assertMayChangeClient } from './permissions.ts'
import { prepareKey } from './prepare_key.ts'
import { secretFor } from './secrets.ts'
import type { Actor } from '#audit/actor'

/* Only administrators register clients: an application by itself cannot ask users for consent. */

interface FilledForm {
  id: string
  /** 256 random bits. */
  seed: string
}

/** @param form a form that is sent twice registers one client */
export async function createClient(given: NewClient, actor: Actor, form?: FilledForm) {
  const settings = withDefaults(given)
  assertMayChangeClient({ before: null, after: settings }, actor)
  await assertSettings(settings)
  assertSecretFits(settings, given)
  const id = form?.id ?? uuidv7()
  const secret = given.clientSecret ?? secretFor(id, form?.seed)
  const clientSecret = hasSecret(settings) ? secret : null
  const registration = { id, clientId: given.clientId, settings, clientSecret, actor }
  const registered = await db.transaction((trx) => createWithin(registration, trx))
  await prepareKey(registered.client)
  return registered
}

function assertSecretFits(settings: ClientSettings, { clientSecret }: NewClient) {
  if (clientSecret === undefined || hasSecret(settings)) return
  throw invalidField('clientSecret', 'secretMethod', 'This kind of client has no secret')
}

export async function updateClient(id: string, changes: ClientUpdate, actor: Actor) {
  const target = { id, actor, names: changes.allowedGroups }
  const changed = await changeWithGroups(target, (before, trx, groups) =>
    updateWithin(before, { changes, actor, groups }, trx)
  )
  if (changes.idTokenAlgorithm) await prepareKey(changed)
  return changed
}

interface Rotation {
  /** A form that is sent twice rotates once. */
  seed?: string
  clientSecret?: string
}

/** The current secret stays valid for a day. */
export function rotateSecret(
  id: string,
  actor: Actor,
  { seed, clientSecret: given }: Rotation = {}
): Promise<RegisteredClient> {
  return changeClient(id, actor, (before, trx) => rotateWithin(before, { actor, given, seed }, trx))
}

export async function deleteClient(id: string, actor: Actor) {
  const deleted = await changeClient(id, actor, (client, trx) => deleteWithin(client, actor, trx))
  await continueDeletion(deleted.clientId)
  return deleted
}
