import type { HttpContext } from '@adonisjs/core/http'
import { listMetadataClients } from '#oidc/client_id_metadata/metadata_clients'
import { countClients, listClients } from '#oidc/clients/client_list'
import { hostOf } from '#oidc/clients/redirect_uris'
import { countRefusals } from '#oidc/refusals/list_refusals'
import { lastGrantTimes } from '#oidc/records/grant_rows'
import { clientListValidator } from '#validators/clients'
import { NEW_CLIENT } from './client_pages.ts'
import { presetGroups } from './preset_groups.ts'
import type { OAuthClient } from '#oidc/clients/client'

const PAGE_SIZE = 50
const SHOWN_HOSTS = 3

const PATH = '/admin/clients'

export async function renderClients(ctx: HttpContext) {
  const { search = null, cursor = null } = await readQuery(ctx.request.qs())
  const [{ clients, next }, total, documentClients] = await Promise.all([
    listClients({ search, cursor, limit: PAGE_SIZE }),
    countClients(search),
    cursor || search ? [] : listMetadataClients(),
  ])
  const rows = await rowsOf(clients)
  return ctx.view.render('admin/clients/index', {
    rows,
    total,
    documentClients,
    form: { input: { search }, errors: {} },
    choice: await presetGroups(ctx, NEW_CLIENT),
    isFiltered: Boolean(search),
    first: cursor && pathOf({ search }),
    next: next && pathOf({ search, cursor: next }),
  })
}

/** Shows the first page for a parameter that no page of ours wrote. */
async function readQuery(values: Record<string, unknown>) {
  const given = Object.entries(values).filter(([, value]) => value !== '')
  const [invalid, query] = await clientListValidator.tryValidate(Object.fromEntries(given))
  return invalid ? {} : query
}

function pathOf(parameters: Record<string, string | null>) {
  const given = Object.entries(parameters).filter(([, value]) => value)
  const query = new URLSearchParams(given as [string, string][]).toString()
  return query ? `${PATH}?${query}` : PATH
}

async function rowsOf(clients: OAuthClient[]) {
  const [lastUsed, refusals] = await Promise.all([
    lastGrantTimes(clients.map(({ clientId }) => clientId)),
    countRefusals(clients),
  ])
  return clients.map((client) => {
    const hosts = [...new Set(client.redirectUris.map(hostOf))]
    const [shown, more] = [hosts.slice(0, SHOWN_HOSTS), hosts.length - SHOWN_HOSTS]
    const lastUsedAt = lastUsed.get(client.clientId) ?? null
    return { client, hosts: shown, more, lastUsedAt, refused: refusals.get(client.id) ?? 0 }
  })
}
