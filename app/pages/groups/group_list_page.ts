import type { HttpContext } from '@adonisjs/core/http'
import { countGroups, listGroups } from '#groups/list_groups'
import { listGroupsValidator } from '#validators/groups'

const PAGE_SIZE = 50

const PATH = '/admin/groups'

export async function renderGroups(ctx: HttpContext) {
  const { search = null, cursor = null } = await readQuery(ctx.request.qs())
  const [{ groups, next }, total] = await Promise.all([
    listGroups({ search, cursor, limit: PAGE_SIZE }),
    countGroups(search),
  ])
  return ctx.view.render('admin/groups/index', {
    groups,
    total,
    form: { input: { search }, errors: {} },
    isFiltered: Boolean(search),
    first: cursor && pathOf({ search }),
    next: next && pathOf({ search, cursor: next }),
  })
}

/** Shows the first page for a parameter that no page of ours wrote. */
async function readQuery(values: Record<string, unknown>) {
  const given = Object.entries(values).filter(([, value]) => value !== '')
  const [invalid, query] = await listGroupsValidator.tryValidate(Object.fromEntries(given))
  return invalid ? {} : query
}

function pathOf(parameters: Record<string, string | null>) {
  const given = Object.entries(parameters).filter(([, value]) => value)
  const query = new URLSearchParams(given as [string, string][]).toString()
  return query ? `${PATH}?${query}` : PATH
}
