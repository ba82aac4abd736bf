import type { HttpContext } from '@adonisjs/core/http'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { deleteMetadataClient } from '#oidc/client_id_metadata/metadata_clients'
import { parseMetadataUrl } from '#oidc/clients/metadata_url'
import { redirectWithNotice } from '#pages/redirect'
import { actorOf } from '#http/request_source'

/** Clients that describe themselves by a metadata document instead of a registration. */
export default class ClientDocumentsController {
  async destroy(ctx: HttpContext) {
    const url = parseMetadataUrl(String(ctx.request.body().client_id))
    if (!url) throw new E_NOT_FOUND()
    const name = url.host
    await deleteMetadataClient(url.href, actorOf(ctx))
    return redirectWithNotice(
      ctx,
      '/admin/clients',
      ctx.i18n.t('clients.document_clients.ended', { name })
    )
  }
}
