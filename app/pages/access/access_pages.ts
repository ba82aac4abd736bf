import type { HttpContext } from '@adonisjs/core/http'
import { findGroupsByName } from '#groups/group_rows'
import { getTargetUserOrFail } from '#http/target_user'
import { mayAccess } from '#oidc/clients/access/may_access'
import { previewOf } from '#oidc/tokens/preview'
import { countClients, listClients, parseCursor } from '#oidc/clients/client_list'
import { getClientOrFail } from '#pages/clients/client_pages'
import { findUserByName } from '#users/find_user'
import { explainAccess } from './explain_access.ts'

const PAGE_SIZE = 50
const LONGEST_NAME = 254

/** `?user=` names the user that the administrator asks about. */
export async function renderClientAccess(ctx: HttpContext) {
  const client = await getClientOrFail(ctx)
  const name = String(ctx.request.qs().user ?? '')
    .trim()
    .slice(0, LONGEST_NAME)
  const user = name && !name.includes('\0') ? await findUserByName(name) : null
  const unknown = ctx.i18n.t('errors.validation.messages.member')
  const { allowedGroups } = client
  return ctx.view.render('admin/access/client', {
    client,
    user,
    groups: allowedGroups.length > 0 ? await findGroupsByName(allowedGroups) : [],
    form: { input: { user: name }, errors: name && !user ? { user: [unknown] } : {} },
    answer: user && (await explainAccess(client, user)),
  })
}

export async function renderUserAccess(ctx: HttpContext) {
  const user = await getTargetUserOrFail(ctx)
  const given = String(ctx.request.qs().cursor ?? '')
  const cursor = parseCursor(given) ? given : null
  const [{ clients, next }, total] = await Promise.all([
    listClients({ cursor, limit: PAGE_SIZE }),
    countClients(),
  ])
  const rows = clients.map(async (client) => {
    const allowed = mayAccess(client, user)
    const { group } = allowed ? await previewOf(client, user) : { group: null }
    return { client, allowed, group }
  })
  const path = `/admin/users/${user.id}/access`
  return ctx.view.render('admin/access/user', {
    user,
    total,
    rows: await Promise.all(rows),
    first: cursor && path,
    next: next && `${path}?${new URLSearchParams({ cursor: next })}`,
  })
}
