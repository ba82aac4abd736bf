import type { HttpContext } from '@adonisjs/core/http'
import oidc from '#config/oidc'
import { createClient, deleteClient, rotateSecret, updateClient } from '#oidc/clients/clients'
import { countSessionsWith } from '#oidc/grants/end_grants'
import { findPreset } from '#oidc/presets/preset'
import { changedOnly, newClientOf } from '#pages/clients/client_form'
import {
  getClientOrFail,
  renderClient,
  renderNewClient,
  renderRotation,
} from '#pages/clients/client_pages'
import { renderClients } from '#pages/clients/client_list_page'
import { filledForm, seedOfForm } from '#pages/forms/form_token'
import { flashSecret } from '#pages/clients/new_secret'
import { submit, type Form } from '#pages/forms/forms'
import { redirectWithNotice } from '#pages/redirect'
import { actorOf } from '#http/request_source'
import {
  clientFormValidator,
  newClientFormValidator,
  rotationFormValidator,
} from '#validators/clients'

/**
 * Each change needs a recent authentication: an attacker at an open console could register an
 * application that gets all tokens.
 */
export default class ClientsController {
  index(ctx: HttpContext) {
    return oidc.isOn ? renderClients(ctx) : ctx.view.render('admin/clients/off')
  }

  create(ctx: HttpContext) {
    return renderNewClient(ctx)
  }

  async store(ctx: HttpContext) {
    const outcome = await submit(ctx, {
      validator: newClientFormValidator,
      fields: { E_INSUFFICIENT_SCOPE: 'scopes', E_CLIENT_ID_TAKEN: 'clientId' },
      action: (values) => {
        const given = newClientOf(values)
        return createClient(given, actorOf(ctx), filledForm(ctx, given))
      },
      onError: (form) => renderNewClient(ctx, form),
    })
    if (!outcome.ok) return outcome.page
    flashSecret(ctx, outcome.result)
    const { id } = outcome.result.client
    const preset = await findPreset(ctx.request.input('for'))
    return done(ctx, preset ? `${id}?for=${preset.id}` : id, 'created')
  }

  show(ctx: HttpContext) {
    return renderClient(ctx)
  }

  async update(ctx: HttpContext) {
    const { id } = await getClientOrFail(ctx)
    const outcome = await submit(ctx, {
      validator: clientFormValidator,
      fields: { E_INSUFFICIENT_SCOPE: 'scopes' },
      action: (values) => updateClient(id, changedOnly(ctx, values), actorOf(ctx)),
      onError: (form: Form) => renderClient(ctx, form),
    })
    return outcome.ok ? done(ctx, id, 'updated') : outcome.page
  }

  rotate(ctx: HttpContext) {
    return renderRotation(ctx)
  }

  async rotateSecret(ctx: HttpContext) {
    const { id } = await getClientOrFail(ctx)
    const outcome = await submit(ctx, {
      validator: rotationFormValidator,
      action: ({ clientSecret }) =>
        rotateSecret(id, actorOf(ctx), { seed: seedOfForm(ctx), clientSecret }),
      onError: (form) => renderRotation(ctx, form),
    })
    if (!outcome.ok) return outcome.page
    flashSecret(ctx, outcome.result)
    return done(ctx, id, 'rotated')
  }

  async delete(ctx: HttpContext) {
    const client = await getClientOrFail(ctx)
    const sessions = await countSessionsWith(client.clientId)
    return ctx.view.render('admin/clients/delete', { client, sessions })
  }

  async destroy(ctx: HttpContext) {
    const { id, name } = await getClientOrFail(ctx)
    await deleteClient(id, actorOf(ctx))
    return redirectWithNotice(ctx, '/admin/clients', ctx.i18n.t('clients.notice.deleted', { name }))
  }
}

/** @param page the id of a client, and the preset whose settings its page shows */
function done(ctx: HttpContext, page: string, notice: 'created' | 'updated' | 'rotated') {
  return redirectWithNotice(ctx, `/admin/clients/${page}`, ctx.i18n.t(`clients.notice.${notice}`))
}
