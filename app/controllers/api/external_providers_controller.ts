import type { HttpContext } from '@adonisjs/core/http'
import { reauthenticatedActorOf } from '#http/reauthentication'
import { bodyOf } from '#http/request_body'
import { actorOf } from '#http/request_source'
import {
  createProvider,
  deleteProvider,
  listProviders,
  updateProvider,
} from '#settings/external_providers'
import { assertUnlocked } from '#settings/read_changes'
import { testProvider } from '#settings/test_provider'
import { reauthenticationValidator } from '#validators/auth'
import { createProviderValidator, updateProviderValidator } from '#validators/settings'

export default class ExternalProvidersController {
  async index() {
    return listProviders()
  }

  async store(ctx: HttpContext) {
    assertUnlocked(actorOf(ctx))
    const { currentPassword, code, ...input } = await bodyOf(ctx, createProviderValidator)
    const actor = await reauthenticatedActorOf(ctx, { currentPassword, code })
    return ctx.response.created(await createProvider(input, actor))
  }

  async update(ctx: HttpContext) {
    assertUnlocked(actorOf(ctx))
    const { currentPassword, code, ...changes } = await bodyOf(ctx, updateProviderValidator)
    const actor = await reauthenticatedActorOf(ctx, { currentPassword, code })
    return updateProvider(ctx.params.name, changes, actor)
  }

  async destroy(ctx: HttpContext) {
    assertUnlocked(actorOf(ctx))
    const body = await bodyOf(ctx, reauthenticationValidator)
    await deleteProvider(ctx.params.name, await reauthenticatedActorOf(ctx, body))
    return ctx.response.noContent()
  }

  async test(ctx: HttpContext) {
    assertUnlocked(actorOf(ctx))
    const { currentPassword, code, ...input } = await bodyOf(ctx, updateProviderValidator)
    const actor = await reauthenticatedActorOf(ctx, { currentPassword, code })
    return testProvider({ ...input, name: ctx.params.name }, actor)
  }
}
