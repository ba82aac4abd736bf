import type { Infer } from '@vinejs/vine/types'
import type { HttpContext } from '@adonisjs/core/http'
import User from '#models/user'
import type { BulkResult } from '#users/bulk_actions'
import limits from '#config/limits'
import { selectForBulk, selectionOf, type BulkSelection } from '#users/bulk_selection'
import { bulkValidator } from '#validators/admin'
import { inputOf } from '#pages/forms/forms'
import { proposedNames } from '#pages/groups/user_groups'
import { userListUrl } from './user_list_url.ts'
import { readUserListQuery, type UserListQuery } from './user_list_query.ts'
import { filterOf } from './user_list_filter.ts'

/* The forms carry the list that they came from, so that its filter, order and page are restored. */

export interface BulkForm extends Omit<Infer<typeof bulkValidator>, 'list'> {
  list: UserListQuery
}

/** @returns null without chosen users, or for an invalid list */
export async function readBulkForm(ctx: HttpContext): Promise<BulkForm | null> {
  const [invalid, form] = await bulkValidator.tryValidate(inputOf(ctx))
  const list = invalid ? null : await readUserListQuery(form.list)
  return list && !invalid ? { ...form, list } : null
}

export async function listPathOf({ request }: HttpContext) {
  const { list } = request.body()
  return userListUrl((await readUserListQuery(typeof list === 'string' ? list : '')) ?? {})
}

export async function targetsOf({ auth }: HttpContext, form: BulkForm): Promise<BulkSelection> {
  const besides = auth.use('web').getUserOrFail().user.id
  return form.all
    ? selectForBulk(filterOf(form.list), { besides, after: form.after ?? undefined })
    : selectionOf((form.ids ?? []).filter((id) => id !== besides))
}

/** Whether the matching users have changed since the administrator confirmed them. */
export function matchesOthers(form: BulkForm, { ids, fingerprint }: BulkSelection) {
  return Boolean(form.all) && ids.length > 0 && fingerprint !== form.fingerprint
}

/** @returns no form if a page must answer first */
export async function targetsToApply(ctx: HttpContext) {
  const form = await readBulkForm(ctx)
  const targets = form && (await targetsOf(ctx, form))
  const isReady = targets && targets.ids.length <= limits.bulkUsers && !matchesOthers(form, targets)
  return isReady ? { form, ids: targets.ids } : { form: null, ids: [] }
}

const SHOWN = 100

interface Question {
  targets: BulkSelection
  hasChanged?: boolean
  /** No group has the name that was typed. */
  hasUnknownGroup?: boolean
}

export async function renderBulkQuestion(ctx: HttpContext, form: BulkForm, question: Question) {
  const { targets, hasChanged = false, hasUnknownGroup = false } = question
  /** The acting administrator is shown among the ticked users, as not included. */
  const shown = form.all ? targets.ids.slice(0, 10) : form.ids!.slice(0, SHOWN)
  const users = await User.query().whereIn('id', shown).orderBy('email')
  return ctx.view.render('admin/users/bulk', {
    ...viewOf(form),
    users,
    total: targets.ids.length,
    more: targets.ids.length - users.filter(({ id }) => targets.ids.includes(id)).length,
    fingerprint: targets.fingerprint,
    hasChanged,
    ...(await groupFieldOf(ctx, form, hasUnknownGroup)),
  })
}

async function groupFieldOf(
  { i18n }: HttpContext,
  { action, group }: BulkForm,
  isUnknown: boolean
) {
  if (action !== 'add-to-group') return {}
  const errors = isUnknown ? { group: [i18n.t('errors.validation.messages.group')] } : {}
  return { groupForm: { input: { group }, errors }, groupNames: await proposedNames() }
}

/** The script of the page sends the next batch; without JavaScript a click does. */
export function renderProgress(ctx: HttpContext, form: BulkForm, rest: BulkSelection) {
  return ctx.view.render('admin/users/bulk_progress', {
    ...viewOf(form),
    fingerprint: rest.fingerprint,
    remaining: rest.ids.length,
  })
}

function viewOf({ list, ...form }: BulkForm) {
  const path = userListUrl(list)
  return { form, path, list: path.split('?')[1] ?? '' }
}

export function addUp(form: BulkForm, after: string, { done, refused }: BulkResult): BulkForm {
  const sum = (before: number | null | undefined, now: number) => (before ?? 0) + now
  return { ...form, after, done: sum(form.done, done), left: sum(form.left, refused.length) }
}
