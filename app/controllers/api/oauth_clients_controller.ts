import type { HttpContext } from '@adonisjs/core/http'
import limits from '#config/limits'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import User from '#models/user'
import { reauthenticatedActorOf } from '#http/reauthentication'
import { bodyOf, queryOf } from '#http/request_body'
import { linkNext } from '#http/link_next'
import { listClients } from '#oidc/clients/client_list'
import { findClientById } from '#oidc/clients/client_rows'
import { toRecord } from '#oidc/clients/client'
import { createClient, deleteClient, rotateSecret, updateClient } from '#oidc/clients/clients'
import type { RegisteredClient } from '#oidc/clients/client_changes'
import { refusalRecords } from '#oidc/refusals/list_refusals'
import { previewOf } from '#oidc/tokens/preview'
import { withPreset } from '#oidc/presets/registration'
import { reauthenticationValidator } from '#validators/auth'
import {
  createClientValidator,
  listClientsValidator,
  previewValidator,
  rotateSecretValidator,
  updateClientValidator,
} from '#validators/clients'

export default class OauthClientsController {
  async index(ctx: HttpContext) {
    const { cursor, limit, search } = await queryOf(ctx, listClientsValidator)
    const size = limit ?? (cursor ? limits.clientPage : limits.clientList)
    const { clients, next } = await listClients({ cursor, search, limit: size })
    if (next) {
      const page = { cursor: next, limit: String(limit ?? limits.clientPage) }
      linkNext(ctx, search ? { ...page, search } : page)
    }
    return clients.map(toRecord)
  }

  async show({ params }: HttpContext) {
    return toRecord(await clientOf(params.id))
  }

  async refusals({ params }: HttpContext) {
    return refusalRecords(await clientOf(params.id))
  }

  /** Tells whether one user may use the client, and what a token would contain. */
  async preview(ctx: HttpContext) {
    const { user: id } = await queryOf(ctx, previewValidator)
    const [client, user] = [await clientOf(ctx.params.id), await User.find(id)]
    if (!user) throw new E_NOT_FOUND()
    return previewOf(client, user)
  }

  async store(ctx: HttpContext) {
    const { currentPassword, code, ...given } = await bodyOf(ctx, createClientValidator)
    const actor = await reauthenticatedActorOf(ctx, { currentPassword, code })
    const { settings } = await withPreset(given)
    return ctx.response.created(withSecret(await createClient(settings, actor)))
  }

  async update(ctx: HttpContext) {
    const { currentPassword, code, ...changes } = await bodyOf(ctx, updateClientValidator)
    const actor = await reauthenticatedActorOf(ctx, { currentPassword, code })
    return toRecord(await updateClient(ctx.params.id, changes, actor))
  }

  async rotateSecret(ctx: HttpContext) {
    const { clientSecret, ...credentials } = await bodyOf(ctx, rotateSecretValidator)
    const actor = await reauthenticatedActorOf(ctx, credentials)
    return withSecret(await rotateSecret(ctx.params.id, actor, { clientSecret }))
  }

  async destroy(ctx: HttpContext) {
    await deleteClient(ctx.params.id, await actorFor(ctx))
    return { message: 'Client deleted' }
  }
}

async function clientOf(id: string) {
  const client = await findClientById(id)
  if (!client) throw new E_NOT_FOUND()
  return client
}

async function actorFor(ctx: HttpContext) {
  return reauthenticatedActorOf(ctx, await bodyOf(ctx, reauthenticationValidator))
}

/** The secret is shown only here. */
function withSecret({ client, clientSecret }: RegisteredClient) {
  return { ...toRecord(client), clientSecret }
}
