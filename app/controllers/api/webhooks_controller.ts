import type { HttpContext } from '@adonisjs/core/http'
import { reauthenticatedActorOf } from '#http/reauthentication'
import { bodyOf } from '#http/request_body'
import { actorOf } from '#http/request_source'
import {
  createWebhook,
  deleteWebhook,
  replayWebhook,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from '#webhooks/endpoints'
import { parseSince } from '#webhooks/replay'
import { toRecord } from '#webhooks/webhook'
import { getWebhookOrFail, listWebhooks } from '#webhooks/webhook_rows'
import { reauthenticationValidator } from '#validators/auth'
import {
  createWebhookValidator,
  replayWebhookValidator,
  updateWebhookValidator,
} from '#validators/webhooks'

export default class WebhooksController {
  async index() {
    const webhooks = await listWebhooks()
    return webhooks.map(toRecord)
  }

  async show({ params }: HttpContext) {
    return toRecord(await getWebhookOrFail(params.id))
  }

  async store(ctx: HttpContext) {
    const { currentPassword, code, ...given } = await bodyOf(ctx, createWebhookValidator)
    const actor = await reauthenticatedActorOf(ctx, { currentPassword, code })
    const { webhook, secret } = await createWebhook(given, actor)
    return ctx.response.created({ ...toRecord(webhook), secret })
  }

  async update(ctx: HttpContext) {
    const { currentPassword, code, ...changes } = await bodyOf(ctx, updateWebhookValidator)
    const actor = await reauthenticatedActorOf(ctx, { currentPassword, code })
    return toRecord(await updateWebhook(ctx.params.id, changes, actor))
  }

  async destroy(ctx: HttpContext) {
    await deleteWebhook(ctx.params.id, actorOf(ctx))
    return ctx.response.noContent()
  }

  async rotateSecret(ctx: HttpContext) {
    const actor = await reauthenticatedActorOf(ctx, await bodyOf(ctx, reauthenticationValidator))
    const { secret } = await rotateWebhookSecret(ctx.params.id, actor)
    return { secret }
  }

  async test(ctx: HttpContext) {
    await testWebhook(ctx.params.id, actorOf(ctx))
    return ctx.response.accepted({ message: 'Test queued' })
  }

  async replay(ctx: HttpContext) {
    const { since } = await bodyOf(ctx, replayWebhookValidator)
    const replayed = await replayWebhook(ctx.params.id, parseSince(since), actorOf(ctx))
    return ctx.response.accepted(replayed)
  }
}
