import type { HttpContext } from '@adonisjs/core/http'
import { updateClient } from '#oidc/clients/clients'
import { allowed } from '#oidc/refusals/reasons'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { inputOfClient } from '#pages/clients/client_form'
import { getClientOrFail, renderClient } from '#pages/clients/client_pages'
import { noFields, submit } from '#pages/forms/forms'
import { redirectWithNotice } from '#pages/redirect'
import { actorOf } from '#http/request_source'

export default class ClientRefusalsController {
  /** Redirects a GET, because the address of the form has no page of its own. */
  back({ params, response }: HttpContext) {
    return response.redirect().toPath(`/admin/clients/${params.id}`)
  }

  /** Takes the value from our table, so that nothing that an outsider sent decides it. */
  async store(ctx: HttpContext) {
    const changes = allowed(ctx.params.setting)
    if (!changes) throw new E_NOT_FOUND()
    const client = await getClientOrFail(ctx)
    const input = inputOfClient(client)
    const outcome = await submit(ctx, {
      validator: noFields,
      action: () => updateClient(client.id, changes, actorOf(ctx)),
      onError: (form) => renderClient(ctx, { ...form, input }),
    })
    if (!outcome.ok) return outcome.page
    const notice = ctx.i18n.t('clients.notice.updated')
    return redirectWithNotice(ctx, `/admin/clients/${client.id}`, notice)
  }
}
