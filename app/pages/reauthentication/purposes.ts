import type { HttpContext } from '@adonisjs/core/http'
import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import User, { ADMIN_ROLE } from '#models/user'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { findGroupByName, getGroupOrFail } from '#groups/group_rows'
import { isNamedByApplication, prepareGroupUses } from '#groups/uses'
import { getTargetUserOrFail } from '#http/target_user'
import { parseMetadataUrl } from '#oidc/clients/metadata_url'
import { allowed } from '#oidc/refusals/reasons'
import type { Group } from '#groups/group'

/* Routes import this file, so pages are imported at their first form, for a faster start. */

/** @returns a sentence that names the change and its user; null where the request needs none */
export type Purpose = (ctx: HttpContext) => string | null | Promise<string | null>

/** @param key of the message */
export function fixed(key: string): Purpose {
  return ({ i18n }) => i18n.t(key)
}

/** @param name of the message `console.confirm.<name>` */
export function ofUser(name: string): Purpose {
  return async (ctx) => textFor(ctx, name, await getTargetUserOrFail(ctx))
}

/** A change that needs reauthentication only for an administrator. */
export function ofAdmin(name: string): Purpose {
  return async (ctx) => {
    const user = await getTargetUserOrFail(ctx)
    return user.isAdmin ? textFor(ctx, name, user) : null
  }
}

export const ofOwnKey: Purpose = async (ctx) => {
  const { id } = await getTargetUserOrFail(ctx)
  const isOwn = ctx.auth.use('web').getUserOrFail().user.id === id
  return isOwn ? ctx.i18n.t('console.confirm.revoke_own') : null
}

export const ofDetails: Purpose = async (ctx) => {
  const { changesAccess } = await import('#pages/users/user_form')
  const user = await getTargetUserOrFail(ctx)
  return changesAccess(ctx, user) ? textFor(ctx, 'change_role', user) : null
}

/** A form that creates an administrator needs what a role change needs. */
export const ofNewUser: Purpose = ({ request, i18n }) => {
  const { role, email, username, emailVerified } = request.body()
  const values = { user: email ?? username }
  if (role === ADMIN_ROLE) return i18n.t('console.confirm.make_admin', values)
  return emailVerified ? i18n.t('console.confirm.verify', values) : null
}

/** A form without a name is refused anyway, before a password is asked for. */
export const ofNewService: Purpose = (ctx) => {
  const user = String(ctx.request.body().username ?? '').trim()
  if (user === '') return null
  return ofNewUser(ctx) ?? ctx.i18n.t('console.confirm.make_service', { user })
}

function textFor({ i18n, params }: HttpContext, name: string, { label }: User) {
  return i18n.t(`console.confirm.${name}`, { user: label, provider: params.provider ?? '' })
}

/** @param change of the message `clients.purpose.<change>` */
export function ofClient(change: string): Purpose {
  return async (ctx) => {
    const { name } = await getClientOf(ctx)
    return ctx.i18n.t(`clients.purpose.${change}`, { name })
  }
}

/** For the settings that have a button in the list of refusals. */
export const ofAllowedSetting: Purpose = async (ctx) => {
  const { setting } = ctx.params
  if (!allowed(setting)) throw new E_NOT_FOUND()
  const { name } = await getClientOf(ctx)
  return ctx.i18n.t(`refusals.purpose.${setting}`, { name })
}

/** @param change of the message `groups.purpose.<change>` */
export function ofGroup(change: string): Purpose {
  return async (ctx) => {
    const { name } = await getGroupOrFail(ctx.params.id)
    return ctx.i18n.t(`groups.purpose.${change}`, { name })
  }
}

/** For the group of the path, if an application names that group. */
export function ofMember(change: 'add' | 'remove'): Purpose {
  return async ({ params, i18n }) => {
    const group = await getGroupOrFail(params.groupId ?? params.id)
    return (await isNamed(group)) ? i18n.t(`groups.purpose.${change}`, { name: group.name }) : null
  }
}

/** For the group that the form names. */
export const ofMemberOfNamed: Purpose = async ({ request, i18n }) => {
  const group = await findGroupByName(String(request.body().group ?? '').trim())
  return group && (await isNamed(group)) ? i18n.t('groups.purpose.add', { name: group.name }) : null
}

export const ofRenamedGroup: Purpose = async ({ params, request, i18n }) => {
  const group = await getGroupOrFail(params.id)
  const { name = group.name } = request.body()
  const renamed = { ...group, name: String(name) }
  if (name === group.name || !(await isNamed(group, renamed))) return null
  return i18n.t('groups.purpose.update', { name: group.name })
}

async function isNamed(...groups: Group[]) {
  await prepareGroupUses()
  return db.transaction((trx) => isNamedByApplication(groups, trx))
}

async function getClientOf(ctx: HttpContext) {
  const { getClientOrFail } = await import('#pages/clients/client_pages')
  return getClientOrFail(ctx)
}

export const ofNewClient: Purpose = ({ request, i18n }) => {
  const name = String(request.body().name ?? '').slice(0, limits.displayName)
  return i18n.t('clients.purpose.create', { name })
}

export const ofMetadataClient: Purpose = ({ request, i18n }) => {
  const url = parseMetadataUrl(String(request.body().client_id))
  if (!url) throw new E_NOT_FOUND()
  return i18n.t('clients.document_clients.purpose', { name: url.host })
}

/** @param change of the message `webhooks.purpose.<change>` */
export function ofWebhook(change: string): Purpose {
  return async ({ params, i18n }) => {
    const { getWebhookOrFail } = await import('#webhooks/webhook_rows')
    const { name } = await getWebhookOrFail(params.id)
    return i18n.t(`webhooks.purpose.${change}`, { name })
  }
}

/** A form without an address is refused anyway. */
export const ofNewWebhook: Purpose = ({ request, i18n }) => {
  const host = URL.parse(String(request.body().url))?.host
  return host ? i18n.t('webhooks.purpose.create', { host }) : null
}

/** Only another address needs a reauthentication. */
export const ofChangedWebhook: Purpose = async (ctx) => {
  const { getWebhookOrFail } = await import('#webhooks/webhook_rows')
  const { url } = await getWebhookOrFail(ctx.params.id)
  return ctx.request.body().url === url ? null : ofWebhook('update')(ctx)
}

const OF_ADMINS = ['disable', 'lock', 'unlock']

export const ofBulk: Purpose = async (ctx) => {
  const { targetsToApply } = await import('#pages/users/bulk_page')
  const { form, ids } = await targetsToApply(ctx)
  if (!form) return null
  const values = { count: ids.length }
  if (form.action === 'delete') return ctx.i18n.t('console.bulk.confirm_delete', values)
  if (form.action === 'add-to-group') return addingTo(ctx, form.group, values)
  const isSensitive = OF_ADMINS.includes(form.action) && (await includeAdmin(ids))
  return isSensitive ? ctx.i18n.t(`console.bulk.confirm.${form.action}`, values) : null
}

async function addingTo({ i18n }: HttpContext, name: string | null | undefined, values: object) {
  const group = name ? await findGroupByName(name) : null
  const isGranted = group && (await isNamed(group))
  return isGranted ? i18n.t('groups.purpose.add_many', { ...values, name: group.name }) : null
}

async function includeAdmin(ids: string[]) {
  return Boolean(await User.query().whereIn('id', ids).where('role', ADMIN_ROLE).first())
}
