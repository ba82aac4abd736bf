import type { HttpContext } from '@adonisjs/core/http'
import { findClient } from '#oidc/clients/client_rows'
import { refusalOf, type Refusal } from '#oidc/refusals/record_refusal'
import { describeRefusal, type RefusalReason } from '#oidc/refusals/reasons'
import { printable } from '#oidc/refusals/sent'

const LABELS: Partial<Record<RefusalReason, string>> = {
  redirect_uri: 'address',
  post_logout_redirect_uri: 'address',
  scope: 'scope',
}

export async function isAdminIn({ auth }: HttpContext) {
  return (await auth.use('web').check()) && auth.use('web').getUserOrFail().user.isAdmin
}

/** Shows the received value to every user, and the remedy only to administrators. */
export async function refusedApplication(ctx: HttpContext) {
  const refusal = refusalOf(ctx.request.request)
  if (!refusal) return null
  const client = await findClient(refusal.clientId)
  const came = client
    ? cameWith(refusal)
    : { label: 'client_id', sent: printable(refusal.clientId) }
  const isAdmin = await isAdminIn(ctx)
  if (!isAdmin) return { ...came, admin: null }
  const unknown = { remedy: ctx.i18n.t('refusals.page.unknown'), path: '/admin/clients' }
  const known = client && {
    remedy: describeRefusal(refusal.reason, client, ctx.i18n).remedy,
    path: `/admin/clients/${client.id}#refusals`,
  }
  return { ...came, admin: known ?? unknown }
}

function cameWith({ reason, sent }: Refusal) {
  return { label: LABELS[reason] ?? 'other', sent }
}
