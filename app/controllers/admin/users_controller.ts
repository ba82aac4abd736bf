import { COUNT_LIMIT, countRoster, listRoster } from '#users/list/console_list'
import { addUser } from '#users/add_user'
import { providerNames } from '#auth/external/providers'
import { isPending, isUnused } from '#users/invitations'
import { createUserValidator, rosterValidator } from '#validators/admin'
import { ROLES } from '#auth/roles'
import { consoleActor, redirectWithNotice } from '#pages/redirect'
import { askToMakeAdmin, isConfirmed, makesAdmin } from '#pages/reauthentication'
import { EMPTY_FORM, submit, type Form } from '#pages/forms'
import { passwordHint } from '#pages/password_hint'
import {
  addressOf,
  filterOf,
  isFiltered,
  neighbours,
  pageOf,
  sortLinks,
  type RosterQuery,
} from '#pages/user_list_url'
import type { HttpContext } from '@adonisjs/core/http'
import type User from '#models/user'

/** The list of users and creating one. */
export default class UsersController {
  async index({ request, view }: HttpContext) {
    const query = await readRosterQuery(request.qs())
    const page = await rosterPage(query ?? {})
    return view.render('admin/users/index', { ...page, hasInvalidFilter: query === null })
  }

  create({ view }: HttpContext, form: Form = EMPTY_FORM) {
    return view.render('admin/users/create', { form, roles: ROLES, passwordHint })
  }

  async store(ctx: HttpContext) {
    if (makesAdmin(ctx) && !isConfirmed(ctx)) return askToMakeAdmin(ctx)
    const outcome = await submit(ctx, {
      validator: createUserValidator,
      fields: { E_EMAIL_TAKEN: 'email' },
      perform: (values) => addUser(values, consoleActor(ctx)),
      again: (form) => this.create(ctx, form),
    })
    if (!outcome.isDone) return outcome.page
    return redirectWithNotice(ctx, `/admin/users/${outcome.result.id}`, 'The user was created.')
  }
}

/** What the page shows of the list that an address names. */
async function rosterPage(query: RosterQuery) {
  const page = pageOf(query)
  const [list, total] = await Promise.all([
    listRoster(filterOf(query), page),
    countRoster(filterOf(query)),
  ])
  return {
    ...list,
    ...addressesOf(query, list.users),
    form: { input: query, errors: {} },
    isPending,
    isUnused,
    isFiltered: isFiltered(query),
    total: total > COUNT_LIMIT ? `more than ${COUNT_LIMIT}` : total,
    sort: query.sort,
    roles: ROLES,
    providers: ['password', ...providerNames],
  }
}

function addressesOf(query: RosterQuery, users: User[]) {
  const everything = { sort: null, after: null, before: null }
  return {
    sorts: sortLinks(query),
    links: neighbours(query, users, pageOf(query).order),
    csv: addressOf(query, everything, '/admin/users.csv'),
  }
}

/** What an address asks for; null for one that makes no sense. */
export async function readRosterQuery(
  values: Record<string, unknown>
): Promise<RosterQuery | null> {
  const given = Object.entries(values).filter(([, value]) => value !== '')
  const [invalid, query] = await rosterValidator.tryValidate(Object.fromEntries(given))
  return invalid ? null : (query as RosterQuery)
}
