import { validate as isUuid } from 'uuid'
import type { HttpContext } from '@adonisjs/core/http'
import User from '#models/user'
import { findManaged } from '#configuration/managed'
import { isProviderName } from '#groups/group_name'
import { getGroupOrFail } from '#groups/group_rows'
import { listMembers } from '#groups/list_members'
import { listClientsOf } from '#oidc/clients/access/restricted_clients'
import { issueFormToken } from '#pages/forms/form_token'
import { EMPTY_FORM, type Form } from '#pages/forms/forms'
import { shownFields } from '#pages/forms/shown_fields'
import type { Group } from '#groups/group'

const PAGE_SIZE = 50

/** The list of applications shows all of them. */
const SHOWN_CLIENTS = 50

interface GroupPage {
  /** The form of the details, with errors. */
  form?: Form
  memberForm?: Form
  problem?: string
}

export function renderNewGroup(ctx: HttpContext, form: Form = EMPTY_FORM) {
  const formToken = issueFormToken(ctx)
  return ctx.view.render('admin/groups/create', { form, formToken, provider: null })
}

export async function renderGroup(ctx: HttpContext, page: GroupPage = {}) {
  const group = await getGroupOrFail(ctx.params.id)
  const input = inputOf(group)
  const managed = await findManaged({ kind: 'group', id: group.id })
  return ctx.view.render('admin/groups/show', {
    group,
    provider: providerOf(group),
    form: { ...(page.form ?? { input, errors: {} }), managed },
    /** A form with errors keeps the values that its page showed at first. */
    shown: page.form?.input.shown ?? JSON.stringify(input),
    memberForm: page.memberForm ?? EMPTY_FORM,
    listPath: `/admin/users?${new URLSearchParams({ group: group.name })}`,
    problem: page.problem ?? null,
    ...(await clientsOf(group)),
    ...(await membersOf(ctx, group)),
  })
}

function providerOf({ name }: Group) {
  return isProviderName(name) ? name.slice(0, name.indexOf(':')) : null
}

function inputOf({ name, title, description }: Group) {
  return isProviderName(name) ? { title, description } : { name, title, description }
}

async function clientsOf({ id }: Group) {
  const found = await listClientsOf(id, SHOWN_CLIENTS + 1)
  return { clients: found.slice(0, SHOWN_CLIENTS), hasMoreClients: found.length > SHOWN_CLIENTS }
}

async function membersOf({ request }: HttpContext, { id }: Group) {
  const { after } = request.qs()
  const cursor = isUuid(after) ? after : null
  const { members, next } = await listMembers(id, { cursor, limit: PAGE_SIZE })
  const users = await User.findMany(members.map((member) => member.id))
  const byId = new Map(users.map((user) => [user.id, user]))
  const path = `/admin/groups/${id}`
  return {
    members: members.flatMap((member) => {
      const user = byId.get(member.id)
      return user ? [{ user, addedAt: Date.parse(member.addedAt) }] : []
    }),
    first: cursor && `${path}#members`,
    next: next && `${path}?after=${next}#members`,
  }
}

/** An outdated page must not undo what another administrator has changed since. */
export function changedFields<Values extends object>({ request }: HttpContext, values: Values) {
  const shown = shownFields(request.body().shown)
  const pairs = Object.entries(values).filter(([name, value]) => value !== (shown[name] ?? null))
  return Object.fromEntries(pairs) as Partial<Values>
}
